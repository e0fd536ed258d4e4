import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

/** How cells of one style look. */
export interface CellStyle {
  /** A number format in Excel's own notation. */
  format: string;
  /** White letters without a fill behind them. */
  isWhite: boolean;
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

const plain: CellStyle = { format: 'General', isWhite: false };

/** The styles of a workbook by their position, from `styles.xml`. */
export function readCellStyles(styles: XmlElement | undefined): (position: number) => CellStyle {
  const own = new Map(
    childElements(firstChild(styles, 'numFmts')).map(({ attribs }) => [
      Number(attribs['numFmtId']),
      attribs['formatCode'] ?? 'General',
    ]),
  );
  const whiteFonts = childElements(firstChild(styles, 'fonts')).map((font) => {
    return isWhite(firstChild(font, 'color'));
  });
  const fills = childElements(firstChild(styles, 'fills')).map((fill) => {
    const pattern = firstChild(fill, 'patternFill');
    if (pattern === undefined) return fill.children.length > 0;
    return (pattern.attribs['patternType'] ?? 'none') !== 'none' && !isWhite(firstChild(pattern, 'fgColor'));
  });
  const list = childElements(firstChild(styles, 'cellXfs')).map(({ attribs }): CellStyle => {
    const id = Number(attribs['numFmtId'] ?? 0);
    const isFilled = fills[Number(attribs['fillId'] ?? 0)] ?? false;
    return {
      format: own.get(id) ?? builtInFormats[id] ?? 'General',
      isWhite: !isFilled && (whiteFonts[Number(attribs['fontId'] ?? 0)] ?? false),
    };
  });
  return (position) => list[position] ?? plain;
}

function isWhite(color: XmlElement | undefined): boolean {
  const { rgb = '', theme, tint = '0' } = color?.attribs ?? {};
  return /^(?:FF)?FFFFFF$/i.test(rgb) || (theme === '0' && Number(tint) === 0);
}
