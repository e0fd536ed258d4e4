import type { PlaceFinder } from './find-places.ts';
import { formAt, formByName } from './number-form.ts';
import { labelNearness, nameTokens } from './label-nearness.ts';
import type { ResultLeaf } from './leaves.ts';
import { lineOf, type Place } from './place.ts';

/** Points for a place, besides its fit: written exactly like the value, near a label like the field's name, in its column. */
const exactBonus = 0.1;
const labelBonus = 0.8;
const columnBonus = 0.6;
/** Points for a number that is written as its field's name says, and against one that is written otherwise. */
const formBonus = 0.3;
const formPenalty = 0.3;
/** Points against a place: another value is there, or it is off its row. */
const takenPenalty = 0.3;
const linePenalty = 0.3;
/** Places whose scores differ less are equal: nothing near them decides between them. */
const maxEqualDifference = 0.05;
const maxLinesOff = 3;
/** Number of lines between a cell and the header of its column. */
const maxHeaderDistance = 60;
/** Of a value with more places, the first ones are compared. */
const maxComparedPlaces = 300;

/** Horizontal positions of the values of one list field. */
export interface ListColumn {
  x0: number;
  x1: number;
}

/** The facts that decide between the places of a value. */
export interface PlaceFacts {
  /** First words of the places of other values. */
  taken: ReadonlySet<number>;
  /** Line of the list element of the value. */
  row?: number | undefined;
  column?: ListColumn | undefined;
}

/** Chooses the place that fits its surroundings best; of equal ones, the first. */
export function choosePlace(
  finder: PlaceFinder,
  leaf: ResultLeaf,
  { taken, row, column }: PlaceFacts,
): Place | undefined {
  const { index } = finder;
  const places = placesWithin(finder.placesOf(leaf.value, leaf.raw), leaf);
  if (places.length <= 1) return places[0];
  const nearPlaces = row === undefined ? [] : nearRow(finder, leaf, row);
  const compared = (nearPlaces.length > 0 ? nearPlaces : places).slice(0, maxComparedPlaces);
  const name = nameTokens(leaf.name);
  const form = typeof leaf.value === 'number' ? formByName(leaf.name, leaf.path) : undefined;
  let best: Place | undefined;
  let bestScore = -Infinity;
  const scores: number[] = [];
  for (const place of compared) {
    const linesOff = row === undefined ? 0 : Math.min(maxLinesOff, Math.abs(lineOf(index, place) - row));
    const { upright } = index.words[place.words[0]!]!;
    const isInColumn = column !== undefined && upright.x0 < column.x1 && upright.x1 > column.x0;
    const score =
      place.fit +
      (place.match === 'exact' ? exactBonus : 0) +
      (isInColumn ? columnBonus : 0) +
      formPoints(finder.index, place, form) +
      labelBonus * labelNearness(index, place, name, row === undefined ? undefined : maxHeaderDistance) -
      linePenalty * linesOff -
      (taken.has(place.words[0]!) ? takenPenalty : 0);
    scores.push(score);
    if (score > bestScore) {
      best = place;
      bestScore = score;
    }
  }
  const equals = scores.filter((score) => bestScore - score < maxEqualDifference).length;
  return best !== undefined && equals > 1 && row === undefined ? { ...best, equals } : best;
}

/** A percentage is no amount, and an amount no percentage; any other difference is only less likely. */
function formPoints(index: PlaceFinder['index'], place: Place, wanted: ReturnType<typeof formByName>): number {
  if (wanted === undefined) return 0;
  const written = formAt(index, place);
  if (written === wanted) return formBonus;
  return wanted !== 'plain' && written !== 'plain' ? -formPenalty : 0;
}

/** The places among the words that the model cited; all places if none is among them. */
function placesWithin(places: readonly Place[], { within }: ResultLeaf): readonly Place[] {
  if (within === undefined) return places;
  const inside = places.filter(({ words }) => words.every((word) => within.has(word)));
  return inside.length > 0 ? inside : places;
}

/** Places on the line of a list element or on the lines around it. */
export function nearRow({ index, placesOf }: PlaceFinder, leaf: ResultLeaf, row: number): Place[] {
  return placesWithin(placesOf(leaf.value, leaf.raw), leaf).filter(
    (place) => Math.abs(lineOf(index, place) - row) <= maxLinesOff,
  );
}
