import { csvLine } from '@docwright/contract';
import type { CsvTable } from './csv-tables.ts';

/**
 * A table as a spreadsheet program reads it without being asked: the mark in front makes Excel take it for UTF-8. Cells are
 * written as the API and the command write them.
 */
export function csvText({ columns, rows }: CsvTable): string {
  return `\uFEFF${[columns, ...rows].map(csvLine).join('\r\n')}`;
}
