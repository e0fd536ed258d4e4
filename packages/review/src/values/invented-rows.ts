import { eachInSteps, type Steps } from '../steps/steps.ts';
import type { LeafPath } from './paths.ts';

/** A rectangle in fractions 0 to 1 of the page. */
export interface PlaceBox {
  readonly page_num: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The place of a value, as in groundings of the contract. */
export interface ValuePlace {
  readonly match: 'exact' | 'normalized' | 'fuzzy' | 'none';
  readonly boxes: readonly PlaceBox[];
  /** Number of places that fit as well. */
  readonly places?: number | undefined;
  /** The model marked the value as uncertain. */
  readonly uncertain?: true | undefined;
}

type Grounding = Readonly<Record<string, ValuePlace>>;

/** So short a value is on nearly every page. */
const shortValue = 2;

/** Columns are compared in steps of so much of the page's width. */
const columnSteps = 400;

/**
 * The filled values of rows that no page contains: at least one value is not on the pages, and the others are no
 * evidence. Their places are also those of values of other rows, or one of many, or they are short and in another
 * column than the values of the same field in other rows.
 */
export function* pathsOfInventedRows(leaves: readonly LeafPath[], grounding: Grounding): Steps<ReadonlySet<string>> {
  const filled = leaves.filter(({ value }) => value !== null && value !== '');
  const rowOf = ({ path }: LeafPath) => /^.*\.\d+(?=\.|$)/u.exec(path)?.[0];
  const rows = new Map<string, LeafPath[]>();
  const suspectRows = new Set<string>();
  yield* eachInSteps(filled, (leaf) => {
    const row = rowOf(leaf);
    if (row === undefined) return;
    const ofRow = rows.get(row);
    if (ofRow) ofRow.push(leaf);
    else rows.set(row, [leaf]);
    if (grounding[leaf.path]?.match === 'none') suspectRows.add(row);
  });
  if (suspectRows.size === 0) return new Set();
  const rowsAt = new Map<string, Set<string | undefined>>();
  yield* eachInSteps(filled, (leaf) => {
    const key = placeKey(grounding[leaf.path]);
    if (key !== undefined) rowsAt.set(key, (rowsAt.get(key) ?? new Set()).add(rowOf(leaf)));
  });
  const isElsewhere = yield* columnCheck(filled, grounding);
  const isDoubtful = (leaf: LeafPath): boolean => {
    const place = grounding[leaf.path];
    const key = placeKey(place);
    const isShared = key !== undefined && (rowsAt.get(key)?.size ?? 0) > 1;
    return place?.match === 'none' || isShared || (place?.places ?? 1) > 1 || isElsewhere(leaf);
  };
  const invented = new Set<string>();
  yield* eachInSteps(suspectRows, (row) => {
    const ofRow = rows.get(row) ?? [];
    if (ofRow.every(isDoubtful)) for (const { path } of ofRow) invented.add(path);
  });
  return invented;
}

/** Whether a short value is in another column than the values of its field in other rows. */
function* columnCheck(filled: readonly LeafPath[], grounding: Grounding): Steps<(leaf: LeafPath) => boolean> {
  const columns = new Map<string, { values: number; covered: Uint32Array }>();
  const stepOf = (x: number) => Math.min(columnSteps - 1, Math.max(0, Math.round(x * columnSteps)));
  // Boxes that only touch are in different columns.
  const stepsOf = ({ x0, x1 }: PlaceBox): [number, number] => [stepOf(x0), Math.max(stepOf(x0), stepOf(x1) - 1)];
  yield* eachInSteps(filled, ({ path, field }) => {
    const box = grounding[path]?.boxes[0];
    if (box === undefined) return;
    const column = columns.get(field) ?? { values: 0, covered: new Uint32Array(columnSteps) };
    columns.set(field, column);
    const [from, to] = stepsOf(box);
    column.values += 1;
    for (let step = from; step <= to; step += 1) column.covered[step]! += 1;
  });
  return ({ path, field, value }) => {
    const box = grounding[path]?.boxes[0];
    const column = columns.get(field);
    if (box === undefined || column === undefined || column.values < 2) return false;
    if (String(value).length > shortValue) return false;
    const [from, to] = stepsOf(box);
    // The value itself covers its steps once.
    return column.covered.subarray(from, to + 1).every((count) => count < 2);
  };
}

/** A place as text; undefined for a value that is not on the pages. */
export function placeKey(place: ValuePlace | undefined): string | undefined {
  const first = place?.boxes[0];
  if (first === undefined) return undefined;
  return [first.page_num, first.x0, first.y0, first.x1, first.y1].map((part) => part.toFixed(4)).join(' ');
}
