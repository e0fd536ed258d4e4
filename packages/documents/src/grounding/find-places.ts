import type { Page } from '../page/page.ts';
import { dateReadings } from './date-readings.ts';
import { foldedTokens } from './fold-text.ts';
import { fuzzyPlaces } from './fuzzy-places.ts';
import { indexNumbers, numberPlaces, type NumberIndex } from './number-places.ts';
import { numberReadings } from './number-readings.ts';
import { indexPages, wordsPerStep, type PageIndex } from './page-index.ts';
import type { Place } from './place.ts';
import { textPlaces } from './text-places.ts';

/** Finds values on the pages. */
export interface PlaceFinder {
  index: PageIndex;
  /** Finds all possible places of the value, in steps; of a number with `raw`, of these digits. */
  readonly search: (value: string | number, raw?: string) => Generator<void, void, undefined>;
  /** The places that `search` has found. */
  readonly placesOf: (value: string | number, raw?: string) => readonly Place[];
}

/** Longer texts are not searched: no passage of a page is so long, but a user can send one. */
const maxCharacters = 20_000;

/** Makes the pages searchable, in steps. Dates and numbers are indexed when a value first needs them. */
export function* createPlaceFinder(pages: readonly Page[]): Generator<void, PlaceFinder, undefined> {
  const index = yield* indexPages(pages);
  const known = new Map<string | number, readonly Place[]>();
  let dates: DateIndex | undefined;
  let numbers: NumberIndex | undefined;

  function* datePlaces(value: string): Generator<void, Place[], undefined> {
    const days = daysOf(value);
    if (days.length === 0) return [];
    dates ??= yield* indexDates(index);
    const found = dates;
    return days.flatMap((day) => found.get(day) ?? []);
  }
  function* findNumber(digits: string): Generator<void, readonly Place[], undefined> {
    numbers ??= yield* indexNumbers(index);
    const places = numberPlaces(index, numbers, digits);
    return places.length > 0 ? places : textPlaces(index, digits).filter((place) => place.fit === 1);
  }
  function* findText(value: string): Generator<void, readonly Place[], undefined> {
    if (value.length > maxCharacters) return [];
    const literal = textPlaces(index, value);
    yield;
    const dated = (yield* datePlaces(value)).filter(
      (place) => !literal.some((other) => other.words[0] === place.words[0]),
    );
    if (literal.length + dated.length > 0) return [...literal, ...dated];
    const signs = currencyPlaces(index, value);
    if (signs.length > 0) return signs;
    const amounts = numberReadings(value).filter((reading) => reading.likelihood === 1);
    if (amounts.length > 0) {
      const found = (numbers ??= yield* indexNumbers(index));
      const places = amounts.flatMap((reading) => numberPlaces(index, found, reading.digits));
      if (places.length > 0) return places;
    }
    return fuzzyPlaces(index, value);
  }

  const keyOf = (value: string | number, raw: string | undefined): string | number =>
    typeof value === 'number' && raw !== undefined ? `number ${raw}` : value;
  return {
    index,
    *search(value, raw) {
      const key = keyOf(value, raw);
      if (known.has(key)) return;
      known.set(key, yield* typeof value === 'number' ? findNumber(raw ?? String(value)) : findText(value));
      yield;
    },
    placesOf: (value, raw) => known.get(keyOf(value, raw)) ?? [],
  };
}

/** Places of a currency sign for a currency code: `€` for `EUR`. Empty if `value` is no currency code. */
function currencyPlaces(index: PageIndex, value: string): Place[] {
  if (!/^[A-Z]{3}$/.test(value)) return [];
  const sign = new Intl.NumberFormat('en', { style: 'currency', currency: value, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find((part) => part.type === 'currency')?.value;
  if (sign === undefined || sign === value) return [];
  const places: Place[] = [];
  for (const [position, { word }] of index.words.entries()) {
    if (word.text.includes(sign)) places.push({ words: [position], match: 'normalized', fit: 1 });
  }
  return places;
}

/** The places of each day (`YYYY-MM-DD`), written in any order of day, month and year and in any known language. */
type DateIndex = ReadonlyMap<string, readonly Place[]>;

function* indexDates(index: PageIndex): Generator<void, DateIndex, undefined> {
  const dates = new Map<string, Place[]>();
  const texts = index.tokens.map((token) => token.text);
  for (const start of texts.keys()) {
    if (start % wordsPerStep === 0) yield;
    for (const { day, tokens } of dateReadings(texts, start)) {
      const first = index.tokens[start]!.word;
      const last = index.tokens[start + tokens - 1]!.word;
      if (index.words[last]!.line - index.words[first]!.line > 1) continue;
      const words = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
      const place: Place = { words, match: 'normalized', fit: 1 };
      const known = dates.get(day);
      if (known) known.push(place);
      else dates.set(day, [place]);
    }
  }
  return dates;
}

/** The days that a value can mean; none if it is no date. */
function daysOf(value: string): string[] {
  if (!/\d/.test(value)) return [];
  const tokens = foldedTokens(value);
  return dateReadings(tokens, 0)
    .filter((reading) => reading.tokens === tokens.length || /^\d{4}-\d{2}-\d{2}[T ]/.test(value))
    .map((reading) => reading.day);
}
