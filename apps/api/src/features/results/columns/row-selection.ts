import { inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import type { ColumnStore } from './column-store.ts';
import type { RowHead } from './row-head.ts';

/** Which rows are selected. */
export interface RowFilter {
  /** What the tests are made of: the same text means the same tests. */
  key: string;
  tests: readonly ((row: number) => boolean)[];
  /** Only rows of documents of each of these sets, which do not change. */
  within: readonly ReadonlySet<string>[];
  /** No rows of documents of these sets, which do not change. */
  without: readonly ReadonlySet<string>[];
}

/** The rows that a filter selects, one byte for each: neither a row nor its cells ever change, and the filter reads the same columns. */
export interface SelectionMask {
  mask: Uint8Array;
}

/** When rows were selected, so that later ones of the same selection differ from them by what was added and removed since. */
export interface SelectedRows {
  /** The store itself if all rows are selected. */
  selection: SelectionMask | ColumnStore;
  end: number;
  removals: number;
}

interface Selected extends Omit<RowFilter, 'tests'> {
  selection: SelectionMask;
  order: string;
  revision: number;
  rows: Uint32Array;
}

/** So many rows are looked at in a step: a few milliseconds. */
const rowsInStep = 20_000;
const documentsInStep = 5_000;

/** The last selection of each table: its next page, its totals and its download often follow. */
const lastSelected = new WeakMap<ColumnStore, Selected>();
const marks = new WeakMap<Uint32Array, SelectedRows>();

export const selectionMarkOf = (rows: Uint32Array): SelectedRows | undefined => marks.get(rows);

function marked(rows: Uint32Array, store: ColumnStore, selection: SelectionMask | ColumnStore): Uint32Array {
  marks.set(rows, { selection, end: store.end, removals: store.removals });
  return rows;
}

/** The selected rows in the order of a column, in steps between which other work of the process continues. */
export async function selectedRows(
  store: ColumnStore,
  order: { path: string; descending: boolean },
  filter: RowFilter,
): Promise<Uint32Array> {
  const { path, descending } = order;
  await store.order(path, descending);
  const { key, tests, within, without } = filter;
  if (tests.length + within.length + without.length === 0) {
    return marked(store.sorted(path, descending), store, store);
  }
  const last = lastSelected.get(store);
  const isSameFilter = last?.key === key && areSame(last.within, within) && areSame(last.without, without);
  const ofOrder = JSON.stringify([path, descending]);
  if (isSameFilter && last.order === ofOrder && last.revision === store.revision) return last.rows;
  const isNear = isSameFilter && store.end - last.selection.mask.length <= rowsInStep;
  const selection = isNear ? last.selection : { mask: await inTurns(maskSteps(store, filter)) };
  extendMask(selection, store, filter);
  const { mask } = selection;
  const sorted = store.sorted(path, descending);
  const rows = new Uint32Array(sorted.length);
  let count = 0;
  for (let at = 0; at < sorted.length; at += 1) if (mask[sorted[at]!] === 1) rows[count++] = sorted[at]!;
  const selected = marked(rows.slice(0, count), store, selection);
  lastSelected.set(store, {
    key,
    within,
    without,
    selection,
    order: ofOrder,
    revision: store.revision,
    rows: selected,
  });
  return selected;
}

/** Decides about the rows that were added since: what it says of the others stays. */
function extendMask(selection: SelectionMask, store: ColumnStore, filter: RowFilter): void {
  const { mask } = selection;
  if (mask.length === store.end) return;
  selection.mask = new Uint8Array(store.end);
  selection.mask.set(mask);
  for (let row = mask.length; row < store.end; row += 1)
    if (!store.isRemoved(row) && isSelected(store, filter, row)) selection.mask[row] = 1;
}

const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** One for each row that is selected. What it has of removed rows means nothing. */
function* maskSteps(store: ColumnStore, { tests, within, without }: RowFilter): Steps<Uint8Array> {
  const mask = new Uint8Array(store.end);
  const [first, ...others] = within;
  // Looking up the documents of a set costs less than looking into it for each row.
  if (first === undefined) mask.fill(1);
  else yield* markDocuments(store, mask, first, 1);
  for (const ids of without) yield* markDocuments(store, mask, ids, 0);
  const all = [...others.map((ids) => (row: number) => ids.has(store.head(row).document_id)), ...tests];
  if (all.length === 0) return mask;
  for (let row = 0; row < mask.length; row += 1) {
    if (row % rowsInStep === rowsInStep - 1) yield;
    if (mask[row] === 1 && !store.isRemoved(row) && !all.every((test) => test(row))) mask[row] = 0;
  }
  return mask;
}

function* markDocuments(store: ColumnStore, mask: Uint8Array, ids: ReadonlySet<string>, mark: 0 | 1): Steps<void> {
  let looked = 0;
  for (const id of ids) {
    for (const row of store.rowsOf(id)) mask[row] = mark;
    looked += 1;
    if (looked % documentsInStep === 0) yield;
  }
}

function isSelected(store: ColumnStore, { tests, within, without }: RowFilter, row: number): boolean {
  const { document_id } = store.head(row);
  return (
    within.every((ids) => ids.has(document_id)) &&
    !without.some((ids) => ids.has(document_id)) &&
    tests.every((test) => test(row))
  );
}

/** A row with what it was when it was chosen. */
export interface ChosenRow {
  row: number;
  head: RowHead;
}

/** Rows as they are now, or as their heads were. */
export const chosenOf = (
  store: ColumnStore,
  rows: Uint32Array,
  heads?: readonly (RowHead | undefined)[],
): ChosenRow[] => Array.from(rows, (row) => ({ row, head: heads?.[row] ?? store.head(row) }));
