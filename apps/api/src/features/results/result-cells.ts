import type { Cell } from '@docwright/contract';
import type { Steps } from '../../platform/long-values/in-turns.ts';
import type { NewRow } from './columns/column-store.ts';

/** As many characters as a cell of a spreadsheet has. Longer texts are cut in tables and exports; the result has them. */
export const maxCellLength = 32_767;
/** Deeper values are JSON texts of one column. */
const maxDepth = 8;

/** The scalars of a result by path, and its lists of objects. */
interface FlatResult {
  cells: Map<string, Cell>;
  tables: Map<string, unknown[]>;
}

/** The digits of a number that JSON would round, by its path in the result. */
type Digits = Readonly<Record<string, string>>;

/** @param place the path in the result, whose lists have numbers in it */
function flatten(value: unknown, path: string, into: FlatResult, digits: Digits, place = path, depth = 0): void {
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object' && item !== null)) into.tables.set(path, value);
    // An empty list says nothing about its kind.
    else if (value.length > 0) {
      const items = value.map((item, at) => digits[place === '' ? `${at}` : `${place}.${at}`] ?? String(item ?? ''));
      into.cells.set(path, cut(items.join('; ')));
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= maxDepth) into.cells.set(path, cut(JSON.stringify(value)));
    else {
      for (const [key, below] of Object.entries(value)) {
        const [own, inside] = [path, place].map((above) => (above === '' ? key : `${above}.${key}`));
        flatten(below, own!, into, digits, inside, depth + 1);
      }
    }
  } else into.cells.set(path, cellOf(value));
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return cut(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** A table is in memory, and a result can be a text of a megabyte. */
function cut(text: string): string {
  if (text.length <= maxCellLength) return text;
  // A slice would keep the whole text.
  return Buffer.from(`${text.slice(0, maxCellLength - 1)}…`, 'utf16le').toString('utf16le');
}

/** What a result gives to a table. */
export interface ResultRows {
  /** One, or with `table` one for each item of a list of objects, whose columns have the list's path in front. */
  rows: NewRow[];
  /** The paths of its lists of objects. A result that is itself such a list has the table `rows`. */
  tables: string[];
}

/** Items of a list that are read in one step. */
const itemsOfStep = 100;

/** Reads a result into the rows of a table, in steps. `exact` has the digits of numbers that JSON would round, by path. */
export function* resultRowSteps(result: unknown, exact: Digits, table: string | undefined): Steps<ResultRows> {
  const flat: FlatResult = { cells: new Map(), tables: new Map() };
  flatten(result, '', flat, exact);
  const tables = [...flat.tables.keys()].map((path) => path || 'rows');
  // A result that is a single value has no name.
  const single = flat.cells.get('');
  if (flat.cells.delete('') && single !== null && single !== undefined) flat.cells.set('value', single);
  const digits = Object.entries(exact);
  if (table === undefined) {
    return { rows: [{ cells: flat.cells, ...(digits.length > 0 && { exact: new Map(digits) }) }], tables };
  }
  const items = flat.tables.get(table === 'rows' && flat.tables.has('') ? '' : table) ?? [];
  const shared = digits.filter(([path]) => flat.cells.has(path));
  const own = Map.groupBy(
    digits.filter(([path]) => path.startsWith(`${table}.`)),
    ([path]) => path.slice(table.length + 1).split('.', 1)[0],
  );
  const rows: NewRow[] = [];
  for (const [index, item] of items.entries()) {
    const cells = new Map(flat.cells);
    const prefix = `${table}.${index}.`;
    flatten(item, table, { cells, tables: new Map() }, exact, prefix.slice(0, -1));
    const ofItem = (own.get(String(index)) ?? []).flatMap(([path, raw]): [string, string][] =>
      path.startsWith(prefix) ? [[`${table}.${path.slice(prefix.length)}`, raw]] : [],
    );
    rows.push({ cells, item: index, exact: new Map([...shared, ...ofItem]) });
    if (index % itemsOfStep === 0) yield;
  }
  return { rows, tables };
}
