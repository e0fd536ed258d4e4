/** A document before it is printed: its page as HTML, and the values that a reader should find. */
export interface DrawnDocument {
  html: string;
  /** Width in CSS pixels; a receipt is narrow. */
  width: number;
  /** Height in CSS pixels; the height of the content if undefined. */
  height: number | undefined;
  expected: Record<string, unknown>;
  /** Fields of the schema that are not on the page: only null is right. */
  absent: Record<string, 'string' | 'number'>;
  descriptions: Record<string, string>;
}

export const paperWidth = 794;
export const paperHeight = 1123;

export const fonts = ['DejaVu Sans', 'DejaVu Serif', 'TeX Gyre Heros', 'TeX Gyre Termes', 'DejaVu Sans Condensed'];

export function sheet(style: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top}.r{text-align:right}${style}</style><body>${body}`;
}
