import { expect, it } from 'vitest';
import { relationships } from '../../testing/office-file.ts';
import { at, filled, look, openSlide as open, shape, text } from '../../testing/slide-file.ts';

/** A PNG with a transparent colour behind a colour profile of 3,000 bytes. */
const chunk = (kind: string, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]),
    Buffer.from(kind),
    bytes,
    Buffer.alloc(4),
  ]);
const pngWithTransparentColor = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
  chunk('iCCP', Buffer.alloc(3_000)),
  chunk('tRNS', Buffer.alloc(6)),
  chunk('IDAT', Buffer.alloc(10)),
]);

it('text before or beside what is not drawn over it is read: hidden, animated, soft, mirrored, inset or too small covers', async () => {
  const [white, row] = [filled('FFFFFF'), 500_000];
  const place = (y: number, more: string): string =>
    `<p:spPr><a:xfrm ><a:off x="0" y="${y}"/><a:ext cx="4000000" cy="400000"/></a:xfrm>${more}</p:spPr>`;
  const picture =
    (content: string, more = '') =>
    (y: number) =>
      `<p:pic><p:blipFill><a:blip r:embed="a">${content}</a:blip>${more}</p:blipFill>${place(y, '')}</p:pic>`;
  const box =
    (look: string, names = '') =>
    (y: number) =>
      shape(`${names}${place(y, look)}`, '');
  const named = (attributes: string, more = '') =>
    `<p:nvSpPr><p:cNvPr ${attributes}/><p:nvPr>${more}</p:nvPr></p:nvSpPr>`;
  const covers: ((y: number) => string)[] = [
    picture('<a:alphaModFix amt="50000"/>'),
    picture('<a:duotone/>'),
    picture('<a:extLst><a:ext><asvg:svgBlip r:embed="s"/></a:ext></a:extLst>'),
    picture('', '<a:stretch><a:fillRect r="50000"/></a:stretch>'),
    picture('', '<a:srcRect l="-50000"/>'),
    (y) => picture('')(y).replace('r:embed="a"', 'r:embed="p"'),
    (y) => picture('')(y).replace('<a:xfrm >', '<a:xfrm rot="600000">'),
    box(`${white}<a:effectLst><a:softEdge rad="63500"/></a:effectLst>`),
    box(`${white}<a:scene3d/>`),
    box(filled('FFFFFF', 'srgbClr', '<a:alphaMod val="20000"/>')),
    box(
      '<a:gradFill><a:gsLst><a:gs><a:srgbClr val="FFFFFF"/></a:gs><a:gs><a:srgbClr val="FFFFFF"><a:alpha val="0"/></a:srgbClr></a:gs></a:gsLst></a:gradFill>',
    ),
    box('<a:grpFill/>'),
    box('<a:solidFill/>'),
    box(white, named('id="7" hidden="1"')),
    box(white, named('id="8"', '<p:ph type="pic"/>')),
    box(white, named('id="9"')),
    (y) => `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="10"/></p:nvGrpSpPr>${box(white)(y)}</p:grpSp>`,
    (y) =>
      `<p:grpSp><p:grpSpPr><a:xfrm flipH="1"><a:off x="0" y="0"/><a:ext cx="9000000" cy="${y}"/><a:chOff x="0" y="0"/><a:chExt cx="9000000" cy="${y}"/></a:xfrm></p:grpSpPr>${box(white)(y)}</p:grpSp>`,
  ];
  const seen = covers.map((cover, at) => shape(place(at * row, ''), text(`Seen ${at}`)) + cover(at * row));
  const long = (content: string, at: number): string => {
    const y = (covers.length + at) * row;
    return shape(place(y, ''), `<p:txBody>${content}</p:txBody>`) + box(white)(y);
  };
  const run = (words: string, size = ''): string => `<a:r><a:rPr ${size}/><a:t>${words}</a:t></a:r>`;
  const tall = [
    `<a:p>${run('Small', 'sz="800"')}${'<a:br/>'.repeat(3)}${run('tall 0')}</a:p>`,
    `<a:p/><a:p/><a:p/><a:p>${run('tall 1')}</a:p>`,
    `<a:lstStyle><a:lvl1pPr><a:defRPr sz="5400"/></a:lvl1pPr></a:lstStyle><a:p>${run('small', 'sz="800"')}${run('tall 2')}</a:p>`,
    `<a:p>${run('漢'.repeat(20))}${run(' tall 3')}</a:p>`,
  ].map(long);
  const timing = '<p:timing><p:spTgt spid="9"/><p:spTgt spid="10"/></p:timing>';
  const { lines } = await open(
    `<p:spTree>${seen.join('')}${tall.join('')}</p:spTree></p:cSld>${timing}<p:cSld>`,
    { a: ['image', 'a.jpg'], p: ['image', 'p.png'] },
    {
      'ppt/a.jpg': new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
      'ppt/p.png': pngWithTransparentColor,
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="9000000" cy="90000000"/></p:presentation>',
    },
  );
  const read = lines.join(' ');
  expect(covers.flatMap((_, at) => (read.includes(`Seen ${at}`) ? [] : [at]))).toEqual([]);
  expect(tall.flatMap((_, at) => (read.includes(`tall ${at}`) ? [] : [at]))).toEqual([]);
});

it('letters have the colour of their shape before that of the master, that of links, and none that is known in a table with a style', async () => {
  const black = filled('tx1', 'schemeClr');
  const style = '<p:style><a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></p:style>';
  const link = look(`${filled('FFFFFF')}<a:hlinkClick r:id="h"/>`);
  const cell = `<a:tc><a:txBody><a:p><a:r><a:t>In a styled table</a:t></a:r></a:p></a:txBody><a:tcPr>${black}</a:tcPr></a:tc>`;
  const table = `<p:graphicFrame><p:xfrm><a:off x="200" y="200"/><a:ext cx="100" cy="40"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr><a:tableStyleId>{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}</a:tableStyleId></a:tblPr><a:tr>${cell}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const unshown = `<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="true"/></p:nvSpPr>${at(0, 200, filled('000000'))}</p:sp>`;
  const frame = `<p:sp><p:nvSpPr><p:cNvPr id="3"/><p:nvPr><p:ph idx="5"/></p:nvPr></p:nvSpPr>${at(0, 250, black)}</p:sp>`;
  const color = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  const shapes = [
    `<p:sp>${at(0, 0, black)}${style}${text('On black')}</p:sp>`,
    shape(at(0, 50), text('A link', link)),
    table,
    unshown,
    shape(at(0, 200), text('unseen', look(filled('FFFFFF')))),
    '<p:sp><p:nvSpPr><p:cNvPr id="2"/><p:nvPr><p:ph idx="5"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>',
    shape(at(0, 250), text('On a frame', look(filled('FFFFFF')))),
  ];
  const { lines, hidden } = await open(
    `<p:spTree>${shapes.join('')}</p:spTree>`,
    { l: ['slideLayout', 'layout.xml'] },
    {
      'ppt/layout.xml': `<p:sldLayout><p:cSld><p:spTree>${frame}</p:spTree></p:cSld></p:sldLayout>`,
      'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
      'ppt/master.xml': `<p:sldMaster><p:cSld/><p:clrMap tx1="dk1"/><p:txStyles><p:otherStyle><a:lvl1pPr><a:defRPr>${black}</a:defRPr></a:lvl1pPr></p:otherStyle></p:txStyles></p:sldMaster>`,
      'ppt/_rels/master.xml.rels': relationships({ t: ['theme', 'theme.xml'] }),
      'ppt/theme.xml': `<a:theme><a:themeElements><a:clrScheme>${color('dk1', '000000')}${color('lt1', 'FFFFFF')}${color('hlink', '0000FF')}</a:clrScheme></a:themeElements></a:theme>`,
    },
  );
  expect({ lines, hidden }).toEqual({
    lines: ['On black', 'A link', 'In a styled table', 'On a frame'],
    hidden: 'unseen'.length,
  });
});

it('text behind a rectangle that its style fills is hidden text if nothing shows through that fill of the theme', async () => {
  const place = (y: number, fill = ''): string =>
    `<p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="4000000" cy="400000"/></a:xfrm>${fill}</p:spPr>`;
  const styled = (idx: number, change = ''): string =>
    `<p:style><a:fillRef idx="${idx}"><a:schemeClr val="accent1">${change}</a:schemeClr></a:fillRef></p:style>`;
  const clear = filled('phClr', 'schemeClr', '<a:alpha val="30000"/>');
  const covers = [
    [place(0), styled(1)],
    [place(500_000), styled(2)],
    [place(1_000_000), styled(0)],
    [place(1_500_000), styled(1, '<a:alpha val="30000"/>')],
    [place(2_000_000, '<a:noFill/>'), styled(1)],
  ];
  const shapes = covers.map(
    ([own, style], at) => shape(place(at * 500_000), text(`Words ${at}`)) + shape(own!, style!),
  );
  const { lines, hidden } = await open(
    `<p:spTree>${shapes.join('')}</p:spTree>`,
    { l: ['slideLayout', 'layout.xml'] },
    {
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="9000000" cy="6000000"/></p:presentation>',
      'ppt/layout.xml': '<p:sldLayout/>',
      'ppt/_rels/layout.xml.rels': relationships({ m: ['slideMaster', 'master.xml'] }),
      'ppt/master.xml': '<p:sldMaster/>',
      'ppt/_rels/master.xml.rels': relationships({ t: ['theme', 'theme.xml'] }),
      'ppt/theme.xml': `<a:theme><a:themeElements><a:fmtScheme><a:fillStyleLst>${filled('phClr', 'schemeClr')}${clear}</a:fillStyleLst></a:fmtScheme></a:themeElements></a:theme>`,
    },
  );
  expect(lines).toEqual(['Words 1', 'Words 2', 'Words 3', 'Words 4']);
  expect(hidden).toBe('Words0'.length);
});
