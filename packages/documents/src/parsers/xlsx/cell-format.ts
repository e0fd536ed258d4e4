import { unknownBackground, white, type Background } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** How cells of one style look. */
export interface CellStyle {
  /** A number format in Excel's own notation. */
  format: string;
  /** The colour of the letters, if it is told. */
  color: string | undefined;
  behind: Background;
  /** The letters are too small to be seen. */
  isTiny: boolean;
}

/** The number formats that a file names by number alone. Those from 27 to 36 and from 50 on are dates and times of East Asia. */
const builtInFormats: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  27: 'm/d/yyyy',
  28: 'm/d/yyyy',
  29: 'm/d/yyyy',
  30: 'm/d/yyyy',
  31: 'm/d/yyyy',
  32: 'h:mm',
  33: 'h:mm:ss',
  34: 'h:mm',
  35: 'h:mm:ss',
  36: 'm/d/yyyy',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'm/d/yyyy',
  51: 'm/d/yyyy',
  52: 'm/d/yyyy',
  53: 'm/d/yyyy',
  54: 'm/d/yyyy',
  55: 'h:mm',
  56: 'h:mm:ss',
  57: 'm/d/yyyy',
  58: 'm/d/yyyy',
};

const plain: CellStyle = { format: 'General', color: undefined, behind: white, isTiny: false };

const usualPoints = 11;
const tinyPoints = 1;

/** The styles of a workbook by their position, from `styles.xml`. */
export function readCellStyles(styles: XmlElement | undefined): (position: number) => CellStyle {
  const own = new Map(
    childElements(firstChild(styles, 'numFmts')).map(({ attribs }) => [
      Number(attribs['numFmtId']),
      attribs['formatCode'] ?? 'General',
    ]),
  );
  const colorOf = readColors(styles);
  const fonts = childElements(firstChild(styles, 'fonts')).map((font) => ({
    color: colorOf(firstChild(font, 'color')?.attribs),
    isTiny: Number(firstChild(font, 'sz')?.attribs['val'] ?? usualPoints) <= tinyPoints,
  }));
  const fills = childElements(firstChild(styles, 'fills')).map((fill): Background => {
    const pattern = firstChild(fill, 'patternFill');
    if (pattern === undefined) return fill.children.length > 0 ? unknownBackground : white;
    const kind = pattern.attribs['patternType'] ?? 'none';
    if (kind === 'none') return white;
    return (kind === 'solid' ? colorOf(firstChild(pattern, 'fgColor')?.attribs) : undefined) ?? unknownBackground;
  });
  const list = childElements(firstChild(styles, 'cellXfs')).map(({ attribs }): CellStyle => {
    const id = Number(attribs['numFmtId'] ?? 0);
    return {
      format: own.get(id) ?? builtInFormats[id] ?? 'General',
      ...(fonts[Number(attribs['fontId'] ?? 0)] ?? { color: undefined, isTiny: false }),
      behind: fills[Number(attribs['fillId'] ?? 0)] ?? white,
    };
  });
  return (position) => list[position] ?? plain;
}

/** The colours that a file names by number alone, unless it has a palette of its own; the others are not told. */
const usualPalette = '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF'.split(' ');

/** Finds a colour in six digits. Undefined where it is not told, or computed from another one. */
export function readColors(
  styles: XmlElement | undefined,
): (color: Readonly<Record<string, string>> | undefined) => string | undefined {
  const palette = childElements(firstChild(firstChild(styles, 'colors'), 'indexedColors')).map(
    ({ attribs }) => attribs['rgb'] ?? '',
  );
  return ({ rgb, theme, tint = '0', indexed } = {}) => {
    if (Number(tint) !== 0) return undefined;
    // Excel ignores the opacity, for which some programs write 0.
    if (rgb !== undefined) return rgb.slice(-6);
    if (indexed !== undefined) {
      const at = Number(indexed);
      return palette[at]?.slice(-6) ?? (at < 16 ? usualPalette[at % 8] : undefined);
    }
    if (theme === '0') return white;
    return theme === '1' ? usualPalette[0] : undefined;
  };
}
