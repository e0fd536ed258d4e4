import { isRecord } from '../http/json-value.ts';

type Cell = string | number | boolean | null;

/** One sheet of a result. */
export interface CsvTable {
  /** `fields` for the single values, else the dotted path of the list. */
  name: string;
  columns: string[];
  rows: Cell[][];
  /** Lines before the columns. */
  comments?: string[];
}

type Row = Map<string, Cell>;

/**
 * Splits a result into tables: the single values in one row, every list of objects in a table of its own. A nested
 * list's first column names its parent row, from 1. A list of single values is one cell.
 */
export function csvTables(result: unknown): CsvTable[] {
  const tables = new Map<string, Row[]>([['fields', []]]);
  const single: Row = new Map();
  if (isRecord(result)) collect(result, '', single, '', [], tables);
  else if (Array.isArray(result)) addList(result, 'result', [], tables);
  else single.set('result', cellOf(result));
  if (single.size > 0) tables.get('fields')?.push(single);
  return [...tables].flatMap(([name, rows]) => (rows.length === 0 ? [] : [tableOf(name, rows)]));
}

function tableOf(name: string, rows: Row[]): CsvTable {
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { name, columns, rows: rows.map((row) => columns.map((column) => row.get(column) ?? null)) };
}

/** The parent rows, as columns. */
type Parents = [list: string, row: number][];

function collect(
  object: Record<string, unknown>,
  prefix: string,
  row: Row,
  list: string,
  parents: Parents,
  tables: Map<string, Row[]>,
): void {
  for (const [key, value] of Object.entries(object)) {
    const column = prefix === '' ? key : `${prefix}.${key}`;
    if (isRecord(value)) collect(value, column, row, list, parents, tables);
    else if (!Array.isArray(value)) row.set(column, cellOf(value));
    else if (value.some((item) => typeof item === 'object' && item !== null)) {
      addList(value, list === '' ? column : `${list}.${column}`, parents, tables);
    } else row.set(column, value.map((item) => String(item ?? '')).join('; '));
  }
}

function addList(items: unknown[], name: string, parents: Parents, tables: Map<string, Row[]>): void {
  const rows = tables.get(name) ?? [];
  tables.set(name, rows);
  for (const [index, item] of items.entries()) {
    const row: Row = new Map(parents);
    rows.push(row);
    if (isRecord(item)) collect(item, '', row, name, [...parents, [name, index + 1]], tables);
    else row.set('value', Array.isArray(item) ? JSON.stringify(item) : cellOf(item));
  }
}

function cellOf(value: unknown): Cell {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? (value as Cell) : null;
}
