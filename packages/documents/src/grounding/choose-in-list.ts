import { choosePlace, nearRow, type ListColumn } from './choose-place.ts';
import { chooseRows } from './choose-rows.ts';
import type { PlaceFinder } from './find-places.ts';
import type { Leaf } from './leaves.ts';
import type { Place } from './place.ts';

/** Chooses places for the values of one list: each element on its row, each field in its column. */
export function chooseInList(
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
  const rowOf = new Map(elements.flatMap((leaves, position) => leaves.map((leaf) => [leaf, rows[position]] as const)));
  const columns = findColumns(finder, rowOf);
  for (const [leaf, row] of rowOf)
    choose(leaf, choosePlace(finder, leaf, { taken, row, column: columns.get(leaf.name) }));
}

/** The columns of fields, from the values with a single place on their row. */
function findColumns(
  { index, placesOf }: PlaceFinder,
  rowOf: ReadonlyMap<Leaf, number | undefined>,
): Map<string, ListColumn> {
  const certain = new Map<string, ListColumn[]>();
  for (const [leaf, row] of rowOf) {
    const places = row === undefined ? [] : nearRow({ index, placesOf }, leaf, row);
    if (places.length !== 1) continue;
    const { x0, x1 } = index.words[places[0]!.words[0]!]!.upright;
    certain.set(leaf.name, [...(certain.get(leaf.name) ?? []), { x0, x1 }]);
  }
  return new Map([...certain].map(([name, found]) => [name, { x0: median(found, 'x0'), x1: median(found, 'x1') }]));
}

function median(columns: readonly ListColumn[], side: keyof ListColumn): number {
  return columns.map((column) => column[side]).sort((a, b) => a - b)[columns.length >> 1]!;
}
