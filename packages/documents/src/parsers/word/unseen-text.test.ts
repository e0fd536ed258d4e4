import { expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { docx, emfText, paragraph, relationships } from '../../testing/office-file.ts';
import { openDocx } from './open-docx.ts';

const run = (words: string, properties: string): string =>
  `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>${words}</w:t></w:r></w:p>`;
const color = (value: string): string => `<w:color w:val="${value}"/>`;
const fill = (value: string): string => `<w:shd w:val="clear" w:fill="${value}"/>`;

async function linesOf(file: Uint8Array): Promise<{ lines: string[]; hidden: number; unread: number }> {
  const { pages, unread } = await openDocx(file, defaultParseLimits);
  const [page] = [...pages];
  return {
    lines: page!.text.split('\n').filter(Boolean),
    hidden: page!.hidden_text ?? 0,
    unread: unread?.length ?? 0,
  };
}

it('letters that cannot be told from what is behind them are hidden text', async () => {
  const body = [
    paragraph('Seen'),
    run('near', color('FDFDFD')),
    run('black', color('000000') + fill('000000')),
    run('marked', `${color('000000')}<w:highlight w:val="black"/>`),
    run('blue', color('4472C4') + fill('4472C4')),
    run('white on blue', color('FFFFFF') + fill('4472C4')),
    run('white on yellow', `${color('FFFFFF')}<w:highlight w:val="yellow"/>`),
    run('of itself on black', `${color('auto')}${fill('000000')}`),
    run('light', color('D9D9D9')),
    `<w:tbl><w:tr><w:tc><w:tcPr>${fill('4472C4')}</w:tcPr>${run('in a cell', color('FFFFFF') + fill('auto'))}${run('cell', color('4472C4'))}</w:tc></w:tr></w:tbl>`,
  ];
  const { lines, hidden } = await linesOf(docx(body.join('')));
  expect(lines).toEqual(['Seen', 'white on blue', 'white on yellow', 'of itself on black', 'light', 'in a cell']);
  expect(hidden).toBe('nearblackmarkedbluecell'.length);
});

it('text that was inserted as a web archive or as RTF is read, and pictures of filled shapes and of handwriting', async () => {
  const drawn = (content: string): string => `<w:p><w:r>${content}</w:r></w:p>`;
  const written =
    '<mc:AlternateContent><mc:Choice><w:drawing><wp:anchor><a:graphic><a:graphicData><w14:contentPart/></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:imagedata r:id="i"/></v:shape></w:pict></mc:Fallback></mc:AlternateContent>';
  const body = `<w:altChunk r:id="m"/><w:altChunk r:id="t"/>${drawn('<w:pict><v:rect><v:fill r:id="f"/></v:rect></w:pict>')}${drawn(written)}`;
  const file = docx(body, {
    'word/_rels/document.xml.rels': relationships({
      m: ['aFChunk', 'a.mht'],
      t: ['aFChunk', 'b.rtf'],
      f: ['image', 'f.emf'],
      i: ['image', 'i.emf'],
    }),
    'word/a.mht': 'MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>Total 55.00</p>',
    'word/b.rtf': '{\\rtf1 Net 50.00}',
    'word/f.emf': emfText('Filled'),
    'word/i.emf': emfText('Written'),
  });
  expect(await linesOf(file)).toMatchObject({ lines: ['Total 55.00', 'Net 50.00', 'Filled', 'Written'], unread: 0 });
});

it('letters that are seen by a shade, an outline, a filled shape or a picture are read', async () => {
  const theme = (shade: string): string => `w:themeColor="background1"${shade}`;
  const white = color('FFFFFF');
  const drawing = (content: string, extent = ''): string =>
    `<w:p><w:r><w:drawing><wp:anchor>${extent}${content}</wp:anchor></w:drawing></w:r></w:p>`;
  const box = (words: string, properties: string, style = ''): string =>
    drawing(
      `<a:graphic><a:graphicData><wps:wsp>${properties}${style}<wps:txbx><w:txbxContent>${run(words, white)}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>`,
    );
  const styled = '<wps:style><a:fillRef idx="1"><a:schemeClr val="accent1"/></a:fillRef></wps:style>';
  const body = [
    run('grey', `<w:color w:val="7F7F7F" ${theme(' w:themeShade="7F"')}/>`),
    run('white', `<w:color w:val="FFFFFF" ${theme('')}/>`),
    run('on grey', `${white}<w:shd w:val="clear" w:fill="7F7F7F" w:themeFill="background1" w:themeFillShade="7F"/>`),
    run('outlined', `${white}<w14:textOutline><w14:solidFill/></w14:textOutline>`),
    run('not outlined', `${white}<w14:textOutline><w14:noFill/></w14:textOutline>`),
    box('on a shape', '<wps:spPr/>', styled),
    box('on no shape', '<wps:spPr><a:noFill/></wps:spPr>', styled),
    box('on a pattern', '<wps:spPr><a:pattFill/></wps:spPr>'),
  ].join('');
  const { lines, hidden } = await linesOf(docx(body));
  expect(lines).toEqual(['grey', 'on grey', 'outlined', 'on a shape', 'on a pattern']);
  expect(hidden).toBe('whitenotoutlinedonnoshape'.length);
  const large = '<wp:extent cx="7000000" cy="9000000"/><wp:wrapNone/>';
  const picture = drawing(
    '<a:graphic><a:graphicData><wps:wsp><wps:spPr><a:blipFill><a:blip r:embed="p"/></a:blipFill></wps:spPr></wps:wsp></a:graphicData></a:graphic>',
    large,
  );
  const cover = docx(picture + run('Annual report', white), {
    'word/_rels/document.xml.rels': relationships({ p: ['image', 'p.emf'] }),
    'word/p.emf': emfText('Cover'),
  });
  expect(await linesOf(cover)).toMatchObject({ lines: ['Cover', 'Annual report'], hidden: 0 });
});

it('letters without a visible fill or width, in rows too low for them and in boxes off the page are not read', async () => {
  const fill = (content: string): string => `<w14:textFill>${content}</w14:textFill>`;
  const solid = (name: string, value: string, change = ''): string =>
    fill(`<w14:solidFill><w14:${name} w14:val="${value}">${change}</w14:${name}></w14:solidFill>`);
  const row = (words: string, height: string): string =>
    `<w:tbl><w:tr><w:trPr><w:trHeight ${height}/></w:trPr><w:tc>${paragraph(words)}</w:tc></w:tr></w:tbl>`;
  const box = (words: string, x: number): string =>
    `<w:p><w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="page"><wp:posOffset>${String(x)}</wp:posOffset></wp:positionH><wp:extent cx="1000000" cy="500000"/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${paragraph(words)}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`;
  const hidden = [
    run('none', fill('<w14:noFill/>')),
    run('white', solid('srgbClr', 'FFFFFF')),
    run('ground', solid('schemeClr', 'bg1')),
    run('transparent', solid('srgbClr', '000000', '<w14:alpha w14:val="100000"/>')),
    run('narrow', '<w:w w:val="1"/>'),
    row('low', 'w:val="1" w:hRule="exact"'),
    box('left', -1_000_000),
    box('right', 30_000_000),
  ];
  const seen = [
    run('filled', color('FFFFFF') + solid('srgbClr', 'FF0000')),
    run('half', solid('srgbClr', '000000', '<w14:alpha w14:val="50000"/>')),
    run('outlined', `${fill('<w14:noFill/>')}<w14:textOutline><w14:solidFill/></w14:textOutline>`),
    run('darker', solid('schemeClr', 'bg1', '<w14:lumMod w14:val="50000"/>')),
    run('slim', '<w:w w:val="50%"/>'),
    row('high', 'w:val="400" w:hRule="exact"'),
    row('growing', 'w:val="1"'),
    box('partly', -999_000),
  ];
  const { lines } = await linesOf(docx([...hidden, ...seen].join('')));
  expect(lines).toEqual(['filled', 'half', 'outlined', 'darker', 'slim', 'high', 'growing', 'partly']);
});

it('letters beside the page, of cut lines or that stand on each other are hidden text', async () => {
  const placed = (words: string, properties: string): string => paragraph(words, `<w:pPr>${properties}</w:pPr>`);
  const table = (words: string, properties: string): string =>
    `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${paragraph(words)}</w:tc></w:tr></w:tbl>`;
  const body = [
    placed('left', '<w:ind w:left="-20000"/>'),
    placed('hanging', '<w:ind w:hanging="20000"/>'),
    placed('at the end', '<w:ind w:left="-20000"/><w:jc w:val="right"/>'),
    placed('a little', '<w:ind w:left="-700" w:hanging="300"/>'),
    placed('cut', '<w:spacing w:line="1" w:lineRule="exact"/>'),
    placed('whole', '<w:spacing w:line="240" w:lineRule="exact"/>'),
    placed('frame', '<w:framePr w:h="1" w:hRule="exact"/>'),
    run('raised', '<w:position w:val="3000"/>'),
    run('a footnote', '<w:position w:val="6"/>'),
    run('piled', '<w:spacing w:val="-200"/>'),
    run('narrower', '<w:spacing w:val="-10"/>'),
    run('of a contents list', '<w:webHidden/>'),
    table('beside', '<w:tblInd w:w="-20000"/>'),
    table('a table', '<w:tblInd w:w="-100"/>'),
  ];
  const { lines, hidden } = await linesOf(docx(body.join('')));
  expect(lines).toEqual(['at the end', 'a little', 'whole', 'a footnote', 'narrower', 'of a contents list', 'a table']);
  expect(hidden).toBe('lefthangingcutframeraisedpiledbeside'.length);
});

it('text boxes behind a picture or a filled rectangle of their paragraph are hidden text', async () => {
  const anchor = (order: string, y: number, content: string, cy = 500_000): string =>
    `<w:r><w:drawing><wp:anchor ${order}><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>${String(y)}</wp:posOffset></wp:positionV><wp:extent cx="1000000" cy="${String(cy)}"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`;
  const box = (words: string, look = ''): string =>
    `<wps:wsp>${look}<wps:txbx><w:txbxContent>${paragraph(words)}</w:txbxContent></wps:txbx></wps:wsp>`;
  const picture = (id: string): string =>
    `<pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill><pic:spPr><a:prstGeom prst="rect"/></pic:spPr></pic:pic>`;
  const rectangle = (more = '', color = ''): string =>
    `<wps:wsp><wps:spPr><a:solidFill><a:srgbClr val="FFFFFF">${color}</a:srgbClr></a:solidFill>${more}</wps:spPr></wps:wsp>`;
  const [low, high, back] = ['relativeHeight="1"', 'relativeHeight="2"', 'relativeHeight="9" behindDoc="1"'];
  const shown = anchor(high, 0, rectangle());
  const seenThrough = picture('j').replace(/(r:embed="j")\/>/u, '$1><a:duotone/></a:blip>');
  const unlike = [
    anchor(`${high} behindDoc="1"`, 0, picture('j')),
    anchor(`${high} allowOverlap="0"`, 0, picture('j')),
    anchor(high, 0, seenThrough),
    anchor(high, 0, rectangle('<a:effectLst><a:softEdge rad="9"/></a:effectLst>')),
    anchor(high, 0, rectangle('', '<a:alphaMod val="20000"/>')),
    shown.replace('<wp:extent', '<wp:docPr hidden="1"/><wp:extent'),
    shown.replace('<w:r>', '<w:r><w:rPr><w:vanish/></w:rPr>'),
    `<w:del>${shown}</w:del>`,
  ];
  const body = [
    [anchor(low, 0, box('behind')), anchor(high, 0, picture('j'))],
    [anchor(back, 0, box('back')), anchor(low, 0, picture('j'))],
    [anchor(low, 100, box('below'), 10), anchor(high, 0, rectangle())],
    [anchor(high, 0, box('Above')), anchor(low, 0, picture('j'))],
    [anchor(low, 0, box('Larger'), 900_000), anchor(high, 0, picture('j'))],
    [anchor(low, 0, box('Through')), anchor(high, 0, picture('e'))],
    [anchor(low, 0, box('Another'))],
    ...unlike.map((cover, at) => [anchor(low, 0, box(`Seen ${at}`)), cover]),
    [anchor(low, 0, box('Turned', '<wps:spPr><a:xfrm rot="5400000"/></wps:spPr>')), anchor(high, 0, rectangle())],
    [anchor(low, 0, box('Before')), '<w:r><w:br w:type="page"/></w:r>', anchor(high, 0, rectangle())],
  ].map((drawings) => `<w:p>${drawings.join('')}</w:p>`);
  const { pages } = await openDocx(
    docx(body.join(''), {
      'word/_rels/document.xml.rels': relationships({ j: ['image', 'j.jpg'], e: ['image', 'e.emf'] }),
      'word/j.jpg': new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
      'word/e.emf': emfText('Drawn'),
    }),
    defaultParseLimits,
  );
  const read = [...pages];
  const lines = read.flatMap((page) => page.text.split('\n').filter(Boolean));
  expect(lines.filter((line) => !line.startsWith('Drawn'))).toEqual([
    'Above',
    'Larger',
    'Through',
    'Another',
    ...unlike.map((_, at) => `Seen ${at}`),
    'Turned',
    'Before',
  ]);
  expect(read.reduce((sum, page) => sum + (page.hidden_text ?? 0), 0)).toBe('behindbackbelow'.length);
});
