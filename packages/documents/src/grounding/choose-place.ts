import type { PlaceFinder } from './find-places.ts';
import { labelNearness, nameTokens } from './label-nearness.ts';
import type { Leaf } from './leaves.ts';
import { lineOf, type Place } from './place.ts';

/**
 * Points for a place, besides its fit: written exactly like the value, near a label like the field's name, in the
 * column of its field.
 */
const EXACT = 0.1;
const LABEL = 0.8;
const COLUMN = 0.6;
/** Points against a place: another value has it, or it is off its row. */
const TAKEN = 0.3;
const PER_LINE_OFF = 0.3;
/** Places with scores this close are equal: nothing near them decides between them. */
const AS_GOOD = 0.05;
const MAX_LINES_OFF = 3;
/** A table's header can be this far above a cell. */
const HEAD_LINES = 60;
/** For a value with more places than this, only the first ones are compared. */
const MAX_COMPARED = 300;

/** Horizontal positions of the values of one list field. */
export interface ListColumn {
  x0: number;
  x1: number;
}

export interface Surroundings {
  /** First words of the places of other values. */
  taken: ReadonlySet<number>;
  /** Line of the list element of the value. */
  row?: number | undefined;
  column?: ListColumn | undefined;
}

/** The place that fits its surroundings best, the first of equals. */
export function choosePlace(finder: PlaceFinder, leaf: Leaf, { taken, row, column }: Surroundings): Place | undefined {
  const { index } = finder;
  const places = narrowed(finder.placesOf(leaf.value), leaf);
  if (places.length <= 1) return places[0];
  const inReach = row === undefined ? [] : nearRow(finder, leaf, row);
  const compared = (inReach.length > 0 ? inReach : places).slice(0, MAX_COMPARED);
  const name = nameTokens(leaf.name);
  let best: Place | undefined;
  let bestScore = -Infinity;
  const scores: number[] = [];
  for (const place of compared) {
    const linesOff = row === undefined ? 0 : Math.min(MAX_LINES_OFF, Math.abs(lineOf(index, place) - row));
    const { upright } = index.words[place.words[0]!]!;
    const isInColumn = column !== undefined && upright.x0 < column.x1 && upright.x1 > column.x0;
    const score =
      place.fit +
      (place.match === 'exact' ? EXACT : 0) +
      (isInColumn ? COLUMN : 0) +
      LABEL * labelNearness(index, place, name, row === undefined ? undefined : HEAD_LINES) -
      PER_LINE_OFF * linesOff -
      (taken.has(place.words[0]!) ? TAKEN : 0);
    scores.push(score);
    if (score > bestScore) {
      best = place;
      bestScore = score;
    }
  }
  const equals = scores.filter((score) => bestScore - score < AS_GOOD).length;
  return best !== undefined && equals > 1 && row === undefined ? { ...best, equals } : best;
}

/** The places among the words that the model cited; all places if none is among them. */
function narrowed(places: readonly Place[], { within }: Leaf): readonly Place[] {
  if (within === undefined) return places;
  const inside = places.filter(({ words }) => words.every((word) => within.has(word)));
  return inside.length > 0 ? inside : places;
}

/** Places on the line of a list element or on the lines around it. */
export function nearRow({ index, placesOf }: PlaceFinder, leaf: Leaf, row: number): Place[] {
  return narrowed(placesOf(leaf.value), leaf).filter((place) => Math.abs(lineOf(index, place) - row) <= MAX_LINES_OFF);
}
