import { printable } from '../terminal-text.ts';

/** Every value of a result that is not itself made of values, with its path as grounding has it: `line_items.0.amount`. */
export function leavesOf(value: unknown, path = ''): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const entries = Object.entries(value);
  return entries.flatMap(([key, below]) => leavesOf(below, path === '' ? key : `${path}.${key}`));
}

/** One line of RFC 4180. Text from a page must not become a formula when a spreadsheet opens it. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' ? harmless(printable(cell)) : JSON.stringify(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function harmless(text: string): string {
  const isNumber = /^[+-]?[\d.,\s]+%?$/.test(text);
  return /^[=+\-@\t]/.test(text) && !isNumber ? `'${text}` : text;
}
