import { expect, it } from 'vitest';
import type { OpenedDocument } from '../../reader/document-reader.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { archive, emfText, relationships } from '../../testing/office-file.ts';
import { openPptx } from './open-pptx.ts';

const text = (words: string, properties = ''): string =>
  `<p:txBody><a:p><a:r>${properties}<a:t>${words}</a:t></a:r></a:p></p:txBody>`;
const at = (x: number, y: number, more = ''): string =>
  `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="20"/></a:xfrm>${more}</p:spPr>`;
const shape = (place: string, words: string): string => `<p:sp>${place}${words}</p:sp>`;

async function open(
  slide: string,
  links: Readonly<Record<string, readonly [type: string, target: string]>> = {},
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<OpenedDocument & { lines: string[]; hidden: number }> {
  const opened = await openPptx(
    archive({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="400" cy="300"/></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide.xml'] }),
      'ppt/slide.xml': `<p:sld><p:cSld>${slide}</p:cSld></p:sld>`,
      'ppt/_rels/slide.xml.rels': relationships(links),
      ...parts,
    }),
    defaultParseLimits,
  );
  const pages = [...opened.pages];
  const lines = pages.flatMap((page) => page.text.split('\n')).filter(Boolean);
  return { ...opened, lines, hidden: pages.reduce((sum, page) => sum + (page.hidden_text ?? 0), 0) };
}

it('the pictures of a background, of a filled shape and of what is written by hand are read, and linked ones are named', async () => {
  const fill = (id: string): string => `<a:blipFill><a:blip ${id}/></a:blipFill>`;
  const written = `<mc:AlternateContent><mc:Choice><p:contentPart/></mc:Choice><mc:Fallback><p:pic>${fill('r:embed="c"').replaceAll('a:blipFill', 'p:blipFill')}${at(0, 60)}</p:pic></mc:Fallback></mc:AlternateContent>`;
  const linked = `<p:pic>${fill('r:link="d"').replaceAll('a:blipFill', 'p:blipFill')}${at(0, 90)}</p:pic>`;
  const { lines, unread } = await open(
    `<p:bg><p:bgPr>${fill('r:embed="a"')}</p:bgPr></p:bg><p:spTree>${shape(at(0, 0), text('Title'))}${shape(at(0, 30, fill('r:embed="b"')), '')}${written}${linked}</p:spTree>`,
    { a: ['image', 'a.emf'], b: ['image', 'b.emf'], c: ['image', 'c.emf'], d: ['image', 'file:///photo.png'] },
    { 'ppt/a.emf': emfText('Scanned'), 'ppt/b.emf': emfText('Filled'), 'ppt/c.emf': emfText('Written') },
  );
  expect(lines).toEqual(['Scanned', 'Title', 'Filled', 'Written']);
  expect(unread).toEqual([expect.objectContaining({ kind: 'picture', name: 'photo.png' })]);
});

it('the steps of a diagram follow each other as they are drawn, each before those below it', async () => {
  const point = (id: string, words: string): string =>
    `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${words}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
  const link = (from: string, to: string, position: number, type = ''): string =>
    `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${position}" ${type}/>`;
  const data = `<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${point('3', 'Third')}${point('1', 'First')}${point('2', 'Second')}${point('4', 'Below first')}</dgm:ptLst><dgm:cxnLst>${link('0', '3', 2)}${link('0', '1', 0)}${link('0', '2', 1)}${link('1', '4', 0)}${link('2', '3', 0, 'type="presOf"')}${link('4', '1', 0)}</dgm:cxnLst></dgm:dataModel>`;
  const frame = '<a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic>';
  const { lines } = await open(
    `<p:spTree><p:graphicFrame>${frame}</p:graphicFrame></p:spTree>`,
    { d: ['diagramData', 'data.xml'] },
    { 'ppt/data.xml': data },
  );
  expect(lines).toEqual(['First', 'Below first', 'Second', 'Third']);
});

it('letters of the colour behind them, and of a point, are hidden text, unless something else is painted there', async () => {
  const colored = (color: string): string => `<a:rPr><a:solidFill>${color}</a:solidFill></a:rPr>`;
  const white = colored('<a:srgbClr val="FDFDFD"/>');
  const solid = (color: string): string => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;
  const shapes = [
    shape(at(0, 0), text('Seen')),
    shape(at(0, 30), text('white', white)),
    shape(at(0, 60), text('theme', colored('<a:schemeClr val="bg1"/>'))),
    shape(at(0, 90), text('tiny', '<a:rPr sz="100"/>')),
    shape(at(0, 120, solid('4472C4')), text('on blue', white)),
    shape(at(0, 150, solid('4472C4')), text('blue', colored('<a:srgbClr val="4472C4"/>'))),
    shape(at(0, 180), text('dark', colored('<a:schemeClr val="tx1"/>'))),
    `<p:pic>${at(200, 0)}</p:pic>`,
    shape(at(210, 5), text('over photo', white)),
    shape(at(200, 60), text('marked', white.replace('</a:rPr>', '<a:highlight/></a:rPr>'))),
  ];
  const theme = (name: string, color: string): string => `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`;
  const { lines, hidden } = await open(
    `<p:spTree>${shapes.join('')}</p:spTree>`,
    { l: ['slideLayout', 'layout.xml'] },
    {
      'ppt/layout.xml': '<p:sldLayout/>',
      'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
      'ppt/master.xml':
        '<p:sldMaster><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg></p:cSld><p:clrMap bg1="lt1" tx1="dk1"/></p:sldMaster>',
      'ppt/_rels/master.xml.rels': relationships({ t: ['theme', 'theme.xml'] }),
      'ppt/theme.xml': `<a:theme><a:themeElements><a:clrScheme>${theme('dk1', '000000')}${theme('lt1', 'FFFFFF')}</a:clrScheme></a:themeElements></a:theme>`,
    },
  );
  expect(lines.flatMap((line) => line.split(/ {2,}/u)).sort()).toEqual(
    ['Seen', 'on blue', 'dark', 'over photo', 'marked'].sort(),
  );
  expect(hidden).toBe('whitethemetinyblue'.length);
});

it('white letters on a turned bar, with a shadow, or on a slide that exchanges the colours of its theme are seen', async () => {
  const white = '<a:rPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr>';
  const bar = `<p:sp><p:spPr><a:xfrm rot="16200000"><a:off x="0" y="140"/><a:ext cx="300" cy="20"/></a:xfrm><a:gradFill/></p:spPr></p:sp>`;
  const shadow = white.replace('</a:rPr>', '<a:effectLst><a:outerShdw/></a:effectLst></a:rPr>');
  const shapes = [
    bar,
    shape(at(145, 20), text('on the bar', white)),
    shape(at(300, 0), text('shadow', shadow)),
    shape(at(305, 150), text('white', white)),
  ];
  const { lines, hidden } = await open(`<p:spTree>${shapes.join('')}</p:spTree>`);
  expect(lines.flatMap((line) => line.split(/ {2,}/u)).sort()).toEqual(['on the bar', 'shadow']);
  expect(hidden).toBe('white'.length);
  const names = (light: string, dark: string): string => `bg1="${light}" tx1="${dark}"`;
  const theme = (name: string, color: string): string => `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`;
  const dark = await open(
    `<p:spTree>${shape(at(0, 0), text('on black', white))}</p:spTree></p:cSld><p:clrMapOvr><a:overrideClrMapping ${names('dk1', 'lt1')}/></p:clrMapOvr><p:cSld>`,
    { l: ['slideLayout', 'layout.xml'] },
    {
      'ppt/layout.xml': '<p:sldLayout/>',
      'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
      'ppt/master.xml': `<p:sldMaster><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg></p:cSld><p:clrMap ${names('lt1', 'dk1')}/></p:sldMaster>`,
      'ppt/_rels/master.xml.rels': relationships({ t: ['theme', 'theme.xml'] }),
      'ppt/theme.xml': `<a:theme><a:themeElements><a:clrScheme>${theme('dk1', '000000')}${theme('lt1', 'FFFFFF')}</a:clrScheme></a:themeElements></a:theme>`,
    },
  );
  expect(dark).toMatchObject({ lines: ['on black'], hidden: 0 });
});

it('letters are seen or not in the colours that a slide has in place of those of its theme', async () => {
  const letters = (name: string): string => `<a:rPr><a:solidFill><a:schemeClr val="${name}"/></a:solidFill></a:rPr>`;
  const color = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  const { lines, hidden } = await open(
    `<p:spTree>${shape(at(0, 0), text('seen', letters('accent1')))}${shape(at(50, 0), text('white', letters('accent2')))}</p:spTree>`,
    { o: ['themeOverride', 'override.xml'], l: ['slideLayout', 'layout.xml'] },
    {
      'ppt/override.xml': `<a:themeOverride><a:clrScheme>${color('accent1', '102030')}${color('accent2', 'FFFFFF')}</a:clrScheme></a:themeOverride>`,
      'ppt/layout.xml': '<p:sldLayout/>',
      'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
      'ppt/master.xml': '<p:sldMaster><p:cSld/></p:sldMaster>',
      'ppt/_rels/master.xml.rels': relationships({ t: ['theme', 'theme.xml'] }),
      'ppt/theme.xml': `<a:theme><a:themeElements><a:clrScheme>${color('accent1', 'FFFFFF')}${color('accent2', '102030')}</a:clrScheme></a:themeElements></a:theme>`,
    },
  );
  expect({ lines, hidden }).toEqual({ lines: ['seen'], hidden: 'white'.length });
});

it('equations beside text, and cells that are covered in either spelling, are read as they are shown', async () => {
  const equation =
    '<p:txBody><a:p><a:r><a:t>E = </a:t></a:r><a14:m><m:oMath><m:r><m:t>mc</m:t></m:r></m:oMath></a14:m></a:p></p:txBody>';
  const cell = (words: string, more = ''): string =>
    `<a:tc ${more}>${text(words).replaceAll('p:txBody', 'a:txBody')}</a:tc>`;
  const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="50"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Head', 'gridSpan="2"')}${cell('covered', 'hMerge="true"')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const { lines } = await open(`<p:spTree>${shape(at(0, 0), equation)}${table}</p:spTree>`);
  expect(lines).toEqual(['E = mc', 'Head']);
});
