import { csvLine, issueComments, type Extraction } from '@docwright/contract';
import type { CsvTable } from './csv-tables.ts';

/**
 * A table as a spreadsheet program reads it without being asked: the mark in front makes Excel take it for UTF-8. Cells are
 * written as the API and the command write them.
 */
export function csvText({ columns, rows, comments = [] }: CsvTable): string {
  return `\uFEFF${[...comments, ...[columns, ...rows].map(csvLine)].join('\r\n')}`;
}

/** A table of a result, with what the result lacks: in lines of comment, and in a column with the codes of its issues. */
export function withIssues(table: CsvTable, extraction: Pick<Extraction, 'issues' | 'is_complete'>): CsvTable {
  const { name, columns, rows } = table;
  if (extraction.issues.length === 0) return table;
  const isOwn = (path: string) => path === '' || `${name}.`.startsWith(`${path}.`) || columns.includes(path);
  const codes = extraction.issues.flatMap(({ path, code }) => (isOwn(path) ? [code] : []));
  const told = [...new Set(codes)].join(' ');
  const comments = issueComments(extraction);
  return { name, comments, columns: [...columns, 'issues'], rows: rows.map((row) => [...row, told]) };
}
