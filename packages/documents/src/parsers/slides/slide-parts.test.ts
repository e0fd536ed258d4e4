import { expect, it } from 'vitest';
import { emfText, relationships } from '../../testing/office-file.ts';
import { at, filled, look, openSlide as open, shape, text } from '../../testing/slide-file.ts';

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

it('letters in the colour of the slide are hidden text however the colour is written', async () => {
  const white = look(filled('FFFFFF'));
  const shadow = '<a:effectLst><a:outerShdw><a:srgbClr val="FFFFFF"/></a:outerShdw></a:effectLst>';
  const stops = '<a:gs pos="0"><a:srgbClr val="FFFFFF"/></a:gs><a:gs pos="100000"><a:srgbClr val="FEFEFE"/></a:gs>';
  const hidden: string[] = [
    look(filled('FFFFFF', 'srgbClr', '<a:lumMod val="100000"/>')),
    look(filled('FFFFFF', 'srgbClr', '<a:alpha val="90000"/>')),
    look(filled('000000', 'srgbClr', '<a:lumOff val="100000"/>')),
    look(filled('white', 'prstClr')),
    look('<a:solidFill><a:scrgbClr r="100000" g="100000" b="100000"/></a:solidFill>'),
    look('<a:solidFill><a:hslClr hue="0" sat="0" lum="100000"/></a:solidFill>'),
    look(`<a:gradFill><a:gsLst>${stops}</a:gsLst></a:gradFill>`),
    look(`${filled('FFFFFF')}<a:highlight><a:srgbClr val="FFFFFF"/></a:highlight>`),
    look(`<a:ln>${filled('FFFFFF')}</a:ln>${filled('FFFFFF')}`),
    look(`${filled('FFFFFF')}${shadow}`),
  ];
  const style =
    '<a:lstStyle><a:lvl1pPr><a:defRPr sz="1800"><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:defRPr></a:lvl1pPr></a:lstStyle>';
  const body = (start: string): string => text('hidden').replace('<p:txBody>', `<p:txBody>${start}`);
  const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="250"/><a:ext cx="100" cy="20"/><a:chOff x="0" y="0"/><a:chExt cx="1000" cy="200"/></a:xfrm></p:grpSpPr>${shape(at(0, 0), text('hidden', white))}</p:grpSp>`;
  const cell = (fill: string, words: string): string =>
    `<a:tc><a:txBody><a:p><a:r>${white}<a:t>${words}</a:t></a:r></a:p></a:txBody><a:tcPr>${fill}</a:tcPr></a:tc>`;
  const table = `<p:graphicFrame><p:xfrm><a:off x="200" y="200"/><a:ext cx="100" cy="40"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr>${cell('', 'hidden')}${cell(filled('203040'), 'On blue')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const shapes = [
    ...hidden.map((properties, index) => shape(at(0, index * 20), text('hidden', properties))),
    shape(at(150, 0), body(style)),
    shape(at(150, 30), body('<a:bodyPr><a:normAutofit fontScale="2000"/></a:bodyPr>')),
    shape(at(150, 60, filled('000000', 'srgbClr', '<a:alpha val="0"/>')), text('hidden', white)),
    `<p:sp>${at(150, 90)}<p:style><a:fontRef><a:srgbClr val="FFFFFF"/></a:fontRef></p:style>${text('hidden')}</p:sp>`,
    shape(at(150, 120, filled('FFFFFF')), ''),
    shape(at(150, 120), text('hidden', white)),
    group,
    table,
    shape(at(300, 0), text('Seen', look(filled('FFFFFF', 'srgbClr', '<a:lumMod val="50000"/>')))),
    shape(at(300, 30), text('Black', look(`<a:ln>${filled('000000')}</a:ln>${filled('FFFFFF')}`))),
  ];
  const read = await open(`<p:spTree>${shapes.join('')}</p:spTree>`);
  const words = read.lines
    .flatMap((line) => line.split(/[| ]{2,}/u))
    .map((word) => word.replaceAll(/[| ]*$|^[| ]*/gu, ''))
    .filter(Boolean);
  expect(words.toSorted()).toEqual(['Black', 'On blue', 'Seen']);
  expect(read.hidden).toBe('hidden'.length * (hidden.length + 7));
});

it('text behind a picture or a filled rectangle that covers all its letters is hidden text', async () => {
  const place = (top: number, more = '', height = 400_000): string =>
    `<p:spPr><a:xfrm><a:off x="0" y="${top}"/><a:ext cx="4000000" cy="${height}"/></a:xfrm>${more}</p:spPr>`;
  const picture = (top: number, id: string): string =>
    `<p:pic><p:blipFill><a:blip r:embed="${id}"/></p:blipFill>${place(top)}</p:pic>`;
  const shapes = [
    shape(place(0), text('behind')),
    picture(0, 'a'),
    shape(place(500_000), text('below')),
    shape(place(500_000, filled('FFFFFF')), text('Above')),
    shape(place(1_000_000), text('Through')),
    shape(place(1_000_000, filled('FFFFFF', 'srgbClr', '<a:alpha val="50000"/>')), ''),
    shape(place(1_500_000), text('Beside an oval')),
    shape(place(1_500_000, `${filled('FFFFFF')}<a:prstGeom prst="ellipse"/>`), ''),
    shape(place(2_000_000), text('More letters than the rectangle covers. '.repeat(9).trim())),
    shape(place(2_000_000, filled('FFFFFF')), ''),
  ];
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
  const { lines, hidden } = await open(
    `<p:spTree>${shapes.join('')}</p:spTree>`,
    { a: ['image', 'a.jpg'] },
    {
      'ppt/a.jpg': jpeg,
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="9000000" cy="6000000"/></p:presentation>',
    },
  );
  expect(lines.slice(0, 3)).toEqual(['Above', 'Through', 'Beside an oval']);
  expect(lines.join(' ')).toContain('More letters');
  expect(hidden).toBe('behindbelow'.length);
});
