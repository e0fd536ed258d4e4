import { expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { xlsx } from '../../testing/office-file.ts';
import { openXlsx } from './open-xlsx.ts';

it('letters that cannot be told from the fill of their cell are hidden text, however their colour is named', async () => {
  const fonts = [
    '<color theme="1"/>',
    '<color indexed="9"/>',
    '<color rgb="00FFFFFF"/>',
    '<color rgb="FFFDFDFD"/>',
    '<color rgb="FF4472C4"/>',
    '<color rgb="FFD0D0D0"/>',
    '<sz val="1"/>',
    '<color indexed="20"/>',
  ];
  const solid = (color: string): string =>
    `<fill><patternFill patternType="solid"><fgColor ${color}/></patternFill></fill>`;
  const fills = ['<fill><patternFill patternType="none"/></fill>', solid('rgb="FF4472C4"'), solid('indexed="9"')];
  const cells: [words: string, font: number, fill: number, format?: number][] = [
    ['Seen', 0, 0],
    ['indexed', 1, 0],
    ['clear', 2, 0],
    ['near', 3, 0],
    ['same', 4, 1],
    ['white', 1, 2],
    ['tiny', 6, 0],
    ['palette', 7, 0],
    ['format', 0, 0, 164],
    ['white on blue', 1, 1],
    ['format on blue', 0, 1, 164],
    ['light', 5, 0],
  ];
  const styles = cells.map(
    ([, font, fill, format = 0]) => `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}"/>`,
  );
  const palette = Array.from(
    { length: 21 },
    (_, at) => `<rgbColor rgb="00${at === 20 || at === 9 ? 'FFFFFF' : '101010'}"/>`,
  );
  const row = cells.map(([words], at) => `<c r="A${at + 1}" s="${at}" t="inlineStr"><is><t>${words}</t></is></c>`);
  const { pages } = await openXlsx(
    xlsx(
      { S: row.map((cell, at) => `<row r="${at + 1}">${cell}</row>`).join('') },
      {
        styles: `<numFmts><numFmt numFmtId="164" formatCode="0;0;0;[White]@"/></numFmts><fonts>${fonts.map((font) => `<font>${font}</font>`).join('')}</fonts><fills>${fills.join('')}</fills><cellXfs>${styles.join('')}</cellXfs><colors><indexedColors>${palette.join('')}</indexedColors></colors>`,
      },
    ),
    defaultParseLimits,
  );
  const [page] = [...pages];
  expect(page!.text.split('\n').filter(Boolean)).toEqual(['S', 'Seen', 'white on blue', 'format on blue', 'light']);
  expect(page!.hidden_text).toBe('indexedclearnearsamewhitetinypaletteformat'.length);
});

it('a rule on other cells shows no letters, and neither does a row or a column of almost no size', async () => {
  const cell = (at: string, words: string, style = 0): string =>
    `<c r="${at}" s="${style}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const sheet = {
    before: '<cols><col min="2" max="2" width="0.1" customWidth="1"/></cols>',
    rows: [
      `<row r="1">${cell('A1', 'Seen')}${cell('B1', 'narrow')}</row>`,
      `<row r="2" ht="0.5" customHeight="1">${cell('A2', 'low')}</row>`,
      `<row r="3">${cell('A3', 'white', 1)}</row>`,
      `<row r="4">${cell('A4', 'by a rule', 1)}</row>`,
    ].join(''),
    after:
      '<conditionalFormatting sqref="C1 A4:A9"><cfRule type="expression" dxfId="0" priority="1"><formula>$B1&gt;5</formula></cfRule></conditionalFormatting>',
  };
  const styles =
    '<fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><fills><fill/></fills><cellXfs><xf/><xf fontId="1"/></cellXfs><dxfs><dxf><font><color rgb="FFFF0000"/></font></dxf></dxfs>';
  const { pages } = await openXlsx(xlsx({ S: sheet }, { styles }), defaultParseLimits);
  const [page] = [...pages];
  expect(page!.text.split('\n').filter(Boolean)).toEqual(['S', 'Seen', 'by a rule']);
  expect(page!.hidden_text).toBe('narrowlowwhite'.length);
});

it('parts of a text that cannot be told from the fill of their cell are hidden text', async () => {
  const run = (words: string, font = '') =>
    `<r>${font && `<rPr>${font}</rPr>`}<t xml:space="preserve">${words}</t></r>`;
  const white = '<color rgb="FFFFFFFF"/>';
  const texts: [runs: string, style: number][] = [
    [`${run('Seen ')}${run('white', white)}${run(' end', '<b/>')}`, 0],
    [run('all', white), 0],
    [`${run('on blue', white)}${run(' same', '<color rgb="FF4472C4"/>')}`, 1],
    [`${run('white by the cell')}${run('usual', '<b/>')}`, 2],
    [`${run('first ')}${run('theme', '<sz val="9"/><color theme="0"/>')}`, 0],
    [`${run('spaced ')}${run(' end ', '<b/>')}`, 2],
    [`${run('format')}${run('Point', '<b/>')}`, 3],
    [`${run('[White]')}${run('Own', '<b/>')}`, 4],
    [`${run('plain ')}${run('white', `<b/>${white}`)}`, 2],
  ];
  const rows = texts.map(
    ([runs, style], at) => `<row r="${at + 1}"><c r="A${at + 1}" s="${style}" t="inlineStr"><is>${runs}</is></c></row>`,
  );
  const shared = `<row r="10"><c r="A10" t="s"><v>0</v></c></row>`;
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="@&quot;.&quot;"/><numFmt numFmtId="165" formatCode="[White]@"/></numFmts><fonts><font/><font>${white}</font></fonts><fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FF4472C4"/></patternFill></fill></fills><cellXfs><xf/><xf fillId="1"/><xf fontId="1"/><xf fontId="1" numFmtId="164"/><xf numFmtId="165"/></cellXfs>`;
  const sharedStrings = `<si>${run('Shared ')}${run('unseen', white)}</si>`;
  const { pages } = await openXlsx(
    xlsx({ S: rows.join('') + shared }, { styles, shared: sharedStrings }),
    defaultParseLimits,
  );
  const [page] = [...pages];
  expect(
    page!.text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ).toEqual(['S', 'Seen end', 'on blue', 'usual', 'first', 'end', 'Point.', 'Own', 'Shared']);
  expect(page!.hidden_text).toBe('whiteallsamewhitebythecellthemespacedformat[White]plainwhiteunseen'.length);
});
