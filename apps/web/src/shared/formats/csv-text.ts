import { csvLine, issueComments, type Extraction } from '@docwright/contract';
import type { CsvTable } from './csv-tables.ts';

/** A table as CSV. The byte order mark makes Excel read it as UTF-8; cells match the CSV of the API and the CLI. */
export function csvText({ columns, rows, comments = [] }: CsvTable): string {
  return `\uFEFF${[...comments, ...[columns, ...rows].map(csvLine)].join('\r\n')}`;
}

/** Adds the issues of a result to its table: as comment lines, and as a column with the codes that concern the table. */
export function withIssues(table: CsvTable, extraction: Pick<Extraction, 'issues' | 'is_complete'>): CsvTable {
  const { name, columns, rows } = table;
  if (extraction.issues.length === 0) return table;
  const isOwn = (path: string) => path === '' || `${name}.`.startsWith(`${path}.`) || columns.includes(path);
  const codes = extraction.issues.flatMap(({ path, code }) => (isOwn(path) ? [code] : []));
  const issueCodes = [...new Set(codes)].join(' ');
  const comments = issueComments(extraction);
  return { name, comments, columns: [...columns, 'issues'], rows: rows.map((row) => [...row, issueCodes]) };
}
