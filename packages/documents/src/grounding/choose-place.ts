import type { PlaceFinder } from './find-places.ts';
import { labelNearness, nameTokens } from './label-nearness.ts';
import type { Leaf } from './leaves.ts';
import { lineOf, type Place } from './place.ts';

/** What speaks for a place, beside how well it fits: written exactly so, a label like its name, the column of its kind. */
const EXACT = 0.1;
const LABEL = 0.8;
const COLUMN = 0.6;
/** And against it: another value stands there, or it is off its row. */
const TAKEN = 0.3;
const PER_LINE_OFF = 0.3;
/** Places whose scores are that close are equals: nothing near them tells which one is meant. */
const AS_GOOD = 0.05;
const MOST_LINES_OFF = 3;
/** A table's head may stand this far above a cell. */
const HEAD_LINES = 60;
/** Beyond this many places of one value the first ones stand for all. */
const MOST_COMPARED = 300;

/** Where the values of one field of a list stand on their lines. */
export interface Column {
  x0: number;
  x1: number;
}

export interface Surroundings {
  /** First words of the places that other values have. */
  taken: ReadonlySet<number>;
  /** Line of the list element that the value belongs to. */
  row?: number | undefined;
  column?: Column | undefined;
}

/** The place that goes best with its surroundings, the first of equals. */
export function choosePlace(finder: PlaceFinder, leaf: Leaf, { taken, row, column }: Surroundings): Place | undefined {
  const { index } = finder;
  const places = finder.placesOf(leaf.value);
  if (places.length <= 1) return places[0];
  const inReach = row === undefined ? [] : nearRow(finder, leaf, row);
  const compared = (inReach.length > 0 ? inReach : places).slice(0, MOST_COMPARED);
  const name = nameTokens(leaf.name);
  let best: Place | undefined;
  let bestScore = -Infinity;
  const scores: number[] = [];
  for (const place of compared) {
    const linesOff = row === undefined ? 0 : Math.min(MOST_LINES_OFF, Math.abs(lineOf(index, place) - row));
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

/** Places on the line of a list element or the few around it. */
export function nearRow({ index, placesOf }: PlaceFinder, leaf: Leaf, row: number): Place[] {
  return placesOf(leaf.value).filter((place) => Math.abs(lineOf(index, place) - row) <= MOST_LINES_OFF);
}
