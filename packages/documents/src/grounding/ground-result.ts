import { setImmediate as nextTurn } from 'node:timers/promises';
import { median } from '../layout/rows/median.ts';
import type { Page } from '../page/page.ts';
import { choosePlace, nearRow, type ListColumn } from './choose-place.ts';
import { chooseRows } from './choose-rows.ts';
import { createPlaceFinder, type PlaceFinder } from './find-places.ts';
import type { Grounding } from './grounding.ts';
import { leavesOf, type ResultLeaf } from './leaves.ts';
import { groundingOf, type Place } from './place.ts';
import { textPlaces } from './text-places.ts';

/** Time between two turns of other work. A longer one would delay it noticeably. */
const sliceMs = 8;

/**
 * Finds each value of a result on the pages, from the words of the pages alone. A list of thousands of rows on a long
 * page takes seconds: other work has turns between the steps.
 *
 * @param result Any JSON value, such as the result of an extraction.
 * @param pages The pages of the document, in order, with their words.
 * @param evidence Words around a value, by its path, such as a model's quote. If they are on the pages, the value is
 * searched for among them alone.
 * @param raw By path, the digits of numbers that the result had to round. Such a number is searched for by these digits.
 * @returns One grounding for each path (`line_items.0.amount`). Every string and number has an entry, with match `none`
 * if no page contains it. Booleans, nulls and blank strings have no entry. Boxes are fractions 0–1 of the page,
 * origin top left.
 *
 * @example
 * ```ts
 * import { groundResult, type Page } from '@docwright/documents';
 *
 * declare const pages: Page[];
 * const groundings = await groundResult({ total: 12.5, line_items: [{ amount: 12.5 }] }, pages);
 * console.log(groundings['line_items.0.amount']?.boxes);
 * ```
 */
export async function groundResult(
  result: unknown,
  pages: readonly Page[],
  evidence: Readonly<Record<string, string>> = {},
  raw: Readonly<Record<string, string>> = {},
): Promise<Record<string, Grounding>> {
  const steps = groundInSteps(result, pages, evidence, raw);
  let sliceStarted = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - sliceStarted < sliceMs) continue;
    await nextTurn();
    sliceStarted = performance.now();
  }
}

/** The steps of `groundResult`. */
export function* groundInSteps(
  result: unknown,
  pages: readonly Page[],
  evidence: Readonly<Record<string, string>>,
  raw: Readonly<Record<string, string>>,
): Generator<void, Record<string, Grounding>, undefined> {
  const finder = yield* createPlaceFinder(pages);
  const leaves = leavesOf(result);
  yield;
  for (const leaf of leaves) {
    const words = Object.hasOwn(evidence, leaf.path) ? evidence[leaf.path] : undefined;
    if (typeof leaf.value === 'number' && Object.hasOwn(raw, leaf.path)) leaf.raw = raw[leaf.path]!;
    if (words !== undefined) leaf.within = wordsOfText(finder.index, words);
    yield* finder.search(leaf.value, leaf.raw);
  }
  const taken = new Set<number>();
  const chosen = new Map<ResultLeaf, Place>();
  const choose = (leaf: ResultLeaf, place: Place | undefined): void => {
    if (!place) return;
    chosen.set(leaf, place);
    taken.add(place.words[0]!);
  };
  // Lists first: a value in their rows is less likely to be a total or a date of the whole document.
  const lists = Map.groupBy(
    leaves.filter((leaf) => leaf.list),
    (leaf) => leaf.list!.path,
  );
  yield;
  for (const listed of lists.values()) yield* chooseInList(finder, listed, taken, choose);
  for (const leaf of leaves) {
    if (!leaf.list) choose(leaf, choosePlace(finder, leaf, { taken }));
    yield;
  }
  const groundings: Record<string, Grounding> = {};
  for (const leaf of leaves) {
    const place = chosen.get(leaf);
    const found = place ? groundingOf(finder.index, place) : notFound();
    const grounding = { ...found, ...(leaf.raw !== undefined && { raw: leaf.raw }) };
    if (leaf.path !== '__proto__') groundings[leaf.path] = grounding;
    else Object.defineProperty(groundings, leaf.path, { ...ofRecord, value: grounding });
    yield;
  }
  return groundings;
}

const ofRecord = { enumerable: true, configurable: true, writable: true };

/** The positions of the words at every place of a text. */
function wordsOfText(index: PlaceFinder['index'], text: string): ReadonlySet<number> {
  return new Set(textPlaces(index, text).flatMap(({ words }) => words));
}

function notFound(): Grounding {
  return { page_num: null, quote: null, boxes: [], match: 'none' };
}

/** Chooses places for the values of one list: each element on its row, each field in its column. */
function* chooseInList(
  finder: PlaceFinder,
  listed: readonly ResultLeaf[],
  taken: ReadonlySet<number>,
  choose: (leaf: ResultLeaf, place: Place | undefined) => void,
): Generator<void, void, undefined> {
  const elements = [...Map.groupBy(listed, (leaf) => leaf.list!.element).values()];
  const places: (readonly Place[])[][] = [];
  for (const leaves of elements) {
    yield;
    places.push(leaves.map((leaf) => finder.placesOf(leaf.value, leaf.raw)));
  }
  const isOfSingles = elements.every((leaves) => leaves.length === 1);
  const rows = yield* chooseRows(finder.index, places, isOfSingles);
  const rowOf = new Map<ResultLeaf, number | undefined>();
  for (const [position, leaves] of elements.entries()) {
    for (const leaf of leaves) rowOf.set(leaf, rows[position]);
    yield;
  }
  const columns = yield* findColumns(finder, rowOf);
  for (const [leaf, row] of rowOf) {
    choose(leaf, choosePlace(finder, leaf, { taken, row, column: columns.get(leaf.name) }));
    yield;
  }
}

/** The columns of fields, derived from the values with a single place on their row. */
function* findColumns(
  finder: PlaceFinder,
  rowOf: ReadonlyMap<ResultLeaf, number | undefined>,
): Generator<void, Map<string, ListColumn>, undefined> {
  const certain = new Map<string, ListColumn[]>();
  for (const [leaf, row] of rowOf) {
    yield;
    const places = row === undefined ? [] : nearRow(finder, leaf, row);
    if (places.length !== 1) continue;
    const { x0, x1 } = finder.index.words[places[0]!.words[0]!]!.upright;
    const known = certain.get(leaf.name);
    if (known) known.push({ x0, x1 });
    else certain.set(leaf.name, [{ x0, x1 }]);
  }
  return new Map(
    [...certain].map(([name, found]) => [
      name,
      { x0: median(found.map(({ x0 }) => x0))!, x1: median(found.map(({ x1 }) => x1))! },
    ]),
  );
}
