import type { ResultColumn, ResultRow } from '@docwright/contract';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import { formatAmount, formatDay, formatNumber, isAmount } from '../../../shared/formats/locale.ts';
import { labelOf } from '../../../shared/values/field-shape.ts';

/** A column of the table, with what its values look like. */
export interface ShownColumn {
  path: string;
  label: string;
  kind: 'text' | 'number' | 'boolean' | 'date' | 'moment';
}

/** Without a choice, so many columns are shown. */
const maxDefaultColumns = 12;

/** Columns of every row besides those of its result, which users can add. */
const further: ShownColumn[] = [{ path: 'changed_at', label: 'Changed', kind: 'moment' }];

const isoDay = /^\d{4}-\d{2}-\d{2}$/u;
/** So many rows decide whether a column of texts has dates. */
const sampleSize = 100;

/** `line_items.unit_price` → “Line items: Unit price”. */
export const columnLabel = (path: string): string => path.split('.').map(labelOf).join(': ');

/** All columns that can be shown, filtered and sorted by. A column whose texts are all ISO dates is one of dates. */
export function resultColumns(columns: readonly ResultColumn[], rows: readonly ResultRow[]): ShownColumn[] {
  const sample = rows.slice(0, sampleSize);
  const isDates = (path: string): boolean => {
    const texts = sample.map(({ fields }) => fields[path]).filter((value) => value !== null && value !== undefined);
    return texts.length > 0 && texts.every((value) => typeof value === 'string' && isoDay.test(value));
  };
  const own = columns.map(({ path, kind }): ShownColumn => ({
    path,
    label: columnLabel(path),
    kind: kind === 'text' && isDates(path) ? 'date' : kind,
  }));
  return [...own, ...further.filter(({ path }) => !own.some((column) => column.path === path))];
}

/** The chosen columns in their order, or the first ones of the result. */
export function shownColumns(all: readonly ShownColumn[], chosen: readonly string[] | undefined): ShownColumn[] {
  if (chosen === undefined) return all.filter(({ kind }) => kind !== 'moment').slice(0, maxDefaultColumns);
  return chosen.flatMap((path) => all.find((column) => column.path === path) ?? []);
}

/** A value in the user's locale; a missing one is empty. Numbers with more digits than numbers hold are texts. */
export function cellText(value: unknown, { path, kind }: Pick<ShownColumn, 'path' | 'kind'>): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    const name = path.split('.').at(-1) ?? '';
    return isAmount(name) ? formatAmount(value) : formatNumber(value);
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (kind === 'moment') return formatMoment(value);
  return kind === 'date' ? formatDay(value) : value;
}

/** The path of a cell's value in the document: items of a list have their position in it. */
export function fieldPath(path: string, table: string | undefined, item: number | undefined): string | undefined {
  if (path === 'changed_at') return undefined;
  if (table === undefined || item === undefined || !path.startsWith(`${table}.`)) return path;
  const rest = path.slice(table.length + 1);
  // The rows of a result that is itself a list have no name in it.
  return table === 'rows' ? `${item}.${rest}` : `${table}.${item}.${rest}`;
}

/** The column of currencies, if the results have one: amounts of different currencies are never added up. */
export const currencyColumn = (columns: readonly ShownColumn[]): ShownColumn | undefined =>
  columns.find(({ path, kind }) => kind === 'text' && /(?:^|[._])currency(?:[._]code)?$/iu.test(path));
