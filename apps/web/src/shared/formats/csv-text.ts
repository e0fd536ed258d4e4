import Papa from 'papaparse';
import type { CsvTable } from './csv-tables.ts';

/**
 * A table as a spreadsheet program reads it without being asked: the mark in front makes Excel take it for UTF-8. A text
 * that would run as a formula has an apostrophe put before it; numbers stay numbers.
 */
export function csvText({ columns, rows }: CsvTable): string {
  const text = Papa.unparse({ fields: columns, data: rows }, { escapeFormulae: true, newline: '\r\n' });
  return `\uFEFF${text}`;
}
