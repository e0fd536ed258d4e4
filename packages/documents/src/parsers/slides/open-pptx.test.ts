import { expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { archive, emfText, relationships } from '../../testing/office-file.ts';
import { openPptx } from './open-pptx.ts';

it('a presentation is read slide by slide, from the top, with what its layout and master show, without hidden slides', async () => {
  const paragraph = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const shape = (y: number, text: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr><p:txBody>${paragraph(text)}</p:txBody></p:sp>`;
  const cell = (text: string): string => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
  const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="50"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Net')}${cell('100.00')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const object =
    '<p:graphicFrame><a:graphic><a:graphicData><p:oleObj progId="Excel.Sheet.12"/></a:graphicData></a:graphic></p:graphicFrame>';
  const slide = (content: string, more = ''): string =>
    `<p:sld ${more}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`;
  const file = archive({
    '[Content_Types].xml':
      '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/><p:sldId r:id="b"/><p:sldId r:id="again"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({
      a: ['slide', 'slides/slide1.xml'],
      b: ['slide', 'slides/slide2.xml'],
      again: ['slide', 'slides/slide1.xml'],
    }),
    'ppt/slides/slide1.xml': slide(shape(1, 'secret'), 'show="0"'),
    'ppt/slides/slide2.xml': slide(shape(100, 'below') + table + shape(10, 'Title') + object),
    'ppt/slides/_rels/slide2.xml.rels': relationships({ l: ['slideLayout', '../layout.xml'] }),
    'ppt/layout.xml': slide(
      shape(900, 'Confidential') + shape(5, 'Click to edit').replace('<p:nvPr/>', '<p:nvPr><p:ph/></p:nvPr>'),
    ),
    'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
    'ppt/master.xml': slide(shape(1, 'ACME Ltd.')),
  });
  const { pages: found, unread } = await openPptx(file, defaultParseLimits);
  const pages = [...found];
  const lines = pages.flatMap(({ text }) => text.split('\n')).filter(Boolean);
  expect(unread).toEqual([expect.objectContaining({ kind: 'embedded_file', name: 'Excel.Sheet.12' })]);
  expect(lines).toEqual(['ACME Ltd.', 'Title', 'Net  100.00', 'below', 'Confidential']);
  expect(pages[0]!.hidden_text).toBe('secret'.length);
});

it('numbers of lists and of slides, signs and equations are read as they are shown, and an object by its picture of old', async () => {
  const numbered = (text: string, type: string, more = ''): string =>
    `<a:p><a:pPr ${more}><a:buAutoNum type="${type}"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const plain = '<a:p><a:r><a:t>then</a:t></a:r></a:p>';
  const list = [
    numbered('one', 'arabicPeriod'),
    numbered('inner', 'alphaLcParenR', 'lvl="1"'),
    numbered('two', 'arabicPeriod'),
    plain,
    numbered('again', 'romanUcPeriod'),
  ].join('');
  const sign = '<a:p><a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>\uf0fe</a:t></a:r></a:p>';
  const half =
    '<a:p><mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m></mc:Choice><mc:Fallback/></mc:AlternateContent></a:p>';
  const number = '<a:p><a:fld type="slidenum"><a:t>‹#›</a:t></a:fld></a:p>';
  const object =
    '<p:graphicFrame><a:graphic><a:graphicData><p:oleObj spid="_x1" progId="Word.Document.8"/></a:graphicData></a:graphic></p:graphicFrame>';
  const styled = `<p:sp><p:txBody><a:lstStyle><a:lvl1pPr><a:buAutoNum type="arabicParenBoth" startAt="4"/></a:lvl1pPr></a:lstStyle>${plain}</p:txBody></p:sp>`;
  const file = archive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation firstSlideNum="7"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide.xml'] }),
    'ppt/slide.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:txBody>${list}${sign}${half}${number}</p:txBody></p:sp>${styled}${object}</p:spTree></p:cSld></p:sld>`,
    'ppt/_rels/slide.xml.rels': relationships({ d: ['vmlDrawing', 'drawing.vml'] }),
    'ppt/drawing.vml': '<xml><v:shape id="_x1"><v:imagedata o:relid="i"/></v:shape></xml>',
    'ppt/_rels/drawing.vml.rels': relationships({ i: ['image', 'image.emf'] }),
    'ppt/image.emf': emfText('Annex 2'),
  });
  const { pages } = await openPptx(file, defaultParseLimits);
  const lines = [...pages].flatMap(({ text }) => text.split('\n')).filter(Boolean);
  expect(lines).toEqual(['1. one', '  a) inner', '2. two', 'then', 'I. again', '☑', 'a/2', '7', '(4) then', 'Annex 2']);
});

it('frames stand where their layout or master puts them, in its capital letters', async () => {
  const frame = (type: string, text: string, more = ''): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr><p:ph ${type}/></p:nvPr></p:nvSpPr><p:spPr>${more}</p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const at = (x: number, y: number): string => `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="40" cy="20"/></a:xfrm>`;
  const slide = (content: string, more = ''): string =>
    `<p:sld><p:cSld><p:spTree>${content}</p:spTree></p:cSld>${more}</p:sld>`;
  const box = `<p:sp><p:spPr>${at(0, 50)}</p:spPr><p:txBody><a:p><a:r><a:t>Left</a:t></a:r></a:p></p:txBody></p:sp>`;
  const file = archive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': slide(
      frame('type="ftr" idx="10"', 'Footer') +
        frame('idx="2"', 'Right') +
        box +
        frame('type="title"', 'Title', '<a:xfrm rot="0"/>'),
    ),
    'ppt/slides/_rels/slide1.xml.rels': relationships({ l: ['slideLayout', '../layout.xml'] }),
    'ppt/layout.xml': slide(frame('idx="2"', '', at(50, 49)) + frame('type="ftr" idx="10"', '', at(0, 90))),
    'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
    'ppt/master.xml': slide(
      frame('type="title"', '', at(0, 0)),
      '<p:txStyles><p:titleStyle><a:lvl1pPr><a:defRPr cap="all"/></a:lvl1pPr></p:titleStyle></p:txStyles>',
    ),
  });
  const { pages } = await openPptx(file, defaultParseLimits);
  const lines = [...pages].flatMap(({ text }) => text.split('\n')).filter(Boolean);
  expect(lines).toEqual(['TITLE', 'Left', 'Right', 'Footer']);
});

it('a control is read by the picture of it that the slide has for other programs', async () => {
  const control = (text: string, y: number): string =>
    `<mc:AlternateContent><mc:Choice><p:control/></mc:Choice><mc:Fallback><p:control><p:pic><p:blipFill><a:blip r:embed="${text}"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr></p:pic></p:control></mc:Fallback></mc:AlternateContent>`;
  const file = archive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree/><p:controls>${control('b', 9)}${control('a', 1)}</p:controls></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relationships({ a: ['image', '../a.emf'], b: ['image', '../b.emf'] }),
    'ppt/a.emf': emfText('Send'),
    'ppt/b.emf': emfText('Cancel'),
  });
  const { pages } = await openPptx(file, defaultParseLimits);
  expect([...pages].flatMap(({ text }) => text.split('\n')).filter(Boolean)).toEqual(['Send', 'Cancel']);
});

it('text without a colour, text that is all but transparent and shapes beside the slide are hidden text', async () => {
  const run = (text: string, properties = ''): string => `<a:r><a:rPr>${properties}</a:rPr><a:t>${text}</a:t></a:r>`;
  const shape = (x: number, y: number, runs: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="20"/></a:xfrm></p:spPr><p:txBody><a:p>${runs}</a:p></p:txBody></p:sp>`;
  const color = (alpha: string): string =>
    `<a:solidFill><a:srgbClr val="203040"><a:alpha val="${alpha}"/></a:srgbClr></a:solidFill>`;
  const outlined = `<a:ln>${color('100000')}</a:ln><a:noFill/>`;
  const shapes = [
    shape(
      0,
      0,
      run('Seen ') +
        run('clear', color('0')) +
        run('trace', color('1000')) +
        run('faint ', color('10000')) +
        run('none', '<a:noFill/>'),
    ),
    shape(0, 30, run('outlined', outlined)),
    shape(400, 0, run('right')),
    shape(-100, 0, run('left')),
    shape(0, -20, run('above')),
    shape(0, 300, run('below')),
    shape(350, 290, run('corner')),
  ];
  const file = archive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="400" cy="300"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`,
  });
  const [page] = [...(await openPptx(file, defaultParseLimits)).pages];
  expect(page?.text.split('\n').filter(Boolean)).toEqual(['Seen faint', 'outlined', 'corner']);
  expect(page?.hidden_text).toBe('cleartracenonerightleftabovebelow'.length);
});
