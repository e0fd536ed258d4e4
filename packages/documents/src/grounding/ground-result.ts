import type { Page } from '../page.ts';
import { chooseInList } from './choose-in-list.ts';
import { choosePlace } from './choose-place.ts';
import { createPlaceFinder } from './find-places.ts';
import type { Grounding } from './grounding.ts';
import { leavesOf, type Leaf } from './leaves.ts';
import { groundingOf, type Place } from './place.ts';

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
  // Lists first: what stands in their rows is less likely to be a total or a date of the whole document.
  const lists = Map.groupBy(
    leaves.filter((leaf) => leaf.list),
    (leaf) => leaf.list!.path,
  );
  for (const listed of lists.values()) chooseInList(finder, listed, taken, choose);
  for (const leaf of leaves) if (!leaf.list) choose(leaf, choosePlace(finder, leaf, { taken }));
  return Object.fromEntries(
    leaves.map((leaf) => {
      const place = chosen.get(leaf);
      return [leaf.path, place ? groundingOf(finder.index, place) : nowhere()];
    }),
  );
}

function nowhere(): Grounding {
  return { page_num: null, quote: null, boxes: [], match: 'none' };
}
