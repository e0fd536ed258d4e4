import type { Page } from '../page.ts';
import { chooseRows } from './choose-rows.ts';
import { createPlaceFinder, type PlaceFinder } from './find-places.ts';
import type { Grounding } from './grounding.ts';
import { labelNearness, nameTokens } from './label-nearness.ts';
import { leavesOf, type Leaf } from './leaves.ts';
import { groundingOf, lineOf, type Place } from './place.ts';

const EXACT = 0.1;
const LABEL = 0.8;
const TAKEN = 0.3;
const PER_LINE_OFF = 0.3;
const MOST_LINES_OFF = 3;
/** A table's head may stand this far above a cell. */
const HEAD_LINES = 60;
/** Beyond this many places of one value the first ones stand for all. */
const MOST_COMPARED = 300;

/**
 * Where the values of a result stand on the pages, keyed by path (`line_items.0.amount`), from the words of the pages
 * alone. Every string and number has an entry; booleans, nulls and blank strings, which stand nowhere, have none.
 */
export function groundResult(result: unknown, pages: readonly Page[]): Record<string, Grounding> {
  const finder = createPlaceFinder(pages);
  const leaves = leavesOf(result);
  const taken = new Set<number>();
  const chosen = new Map<Leaf, Place>();
  const choose = (leaf: Leaf, place: Place | undefined): void => {
    if (!place) return;
    chosen.set(leaf, place);
    taken.add(place.words[0]!);
  };
  const lists = Map.groupBy(
    leaves.filter((leaf) => leaf.list),
    (leaf) => leaf.list!.path,
  );
  for (const listed of lists.values()) chooseInRows(finder, listed, taken, choose);
  for (const leaf of leaves) {
    if (!leaf.list) choose(leaf, bestPlace(finder, leaf, taken, undefined));
  }
  return Object.fromEntries(
    leaves.map((leaf) => {
      const place = chosen.get(leaf);
      return [leaf.path, place ? groundingOf(finder.index, place) : nowhere()];
    }),
  );
}

function chooseInRows(
  finder: PlaceFinder,
  listed: readonly Leaf[],
  taken: ReadonlySet<number>,
  choose: (leaf: Leaf, place: Place | undefined) => void,
): void {
  const elements = [...Map.groupBy(listed, (leaf) => leaf.list!.element).values()];
  const rows = chooseRows(
    finder.index,
    elements.map((leaves) => leaves.map((leaf) => finder.placesOf(leaf.value))),
    elements.every((leaves) => leaves.length === 1),
  );
  for (const [position, leaves] of elements.entries()) {
    for (const leaf of leaves) choose(leaf, bestPlace(finder, leaf, taken, rows[position]));
  }
}

/** The place that fits best: near its row in a list, near a label like its name, not taken by another value. */
function bestPlace(
  { index, placesOf }: PlaceFinder,
  leaf: Leaf,
  taken: ReadonlySet<number>,
  row: number | undefined,
): Place | undefined {
  const places = placesOf(leaf.value);
  if (places.length <= 1) return places[0];
  const inReach =
    row === undefined ? [] : places.filter((place) => Math.abs(lineOf(index, place) - row) <= MOST_LINES_OFF);
  const compared = (inReach.length > 0 ? inReach : places).slice(0, MOST_COMPARED);
  const name = nameTokens(leaf.name);
  let best: Place | undefined;
  let bestScore = -Infinity;
  for (const place of compared) {
    const linesOff = row === undefined ? 0 : Math.min(MOST_LINES_OFF, Math.abs(lineOf(index, place) - row));
    const score =
      place.fit +
      (place.match === 'exact' ? EXACT : 0) +
      LABEL * labelNearness(index, place, name, row === undefined ? undefined : HEAD_LINES) -
      PER_LINE_OFF * linesOff -
      (taken.has(place.words[0]!) ? TAKEN : 0);
    if (score > bestScore) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}

function nowhere(): Grounding {
  return { page_num: null, quote: null, boxes: [], match: 'none' };
}
