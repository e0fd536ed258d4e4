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
