import type { Page } from '../page/page.ts';
import { dateReadings } from './date-readings.ts';
import { foldedTokens } from './fold-text.ts';
import { fuzzyPlaces } from './fuzzy-places.ts';
import { indexNumbers, numberPlaces, type NumberIndex } from './number-places.ts';
import { numberReadings } from './number-readings.ts';
import { indexPages, type PageIndex } from './page-index.ts';
import type { Place } from './place.ts';
import { textPlaces } from './text-places.ts';

/** Finds values on the pages. */
export interface PlaceFinder {
  index: PageIndex;
  /** All possible places of the value; of a number with `raw`, of these digits. */
  readonly placesOf: (value: string | number, raw?: string) => readonly Place[];
}

/** A longer text is no passage of a page, and a user's can be as long as a request. */
const maxCharacters = 20_000;

/** Makes the pages searchable. Dates and numbers are indexed when a value first needs them. */
export function createPlaceFinder(pages: readonly Page[]): PlaceFinder {
  const index = indexPages(pages);
  const known = new Map<string | number, readonly Place[]>();
  let dates: DateIndex | undefined;
  let numbers: NumberIndex | undefined;

  const datePlaces = (value: string): Place[] => {
    const days = daysOf(value);
    if (days.length === 0) return [];
    dates ??= indexDates(index);
    const found = dates;
    return days.flatMap((day) => found.get(day) ?? []);
  };
  const findNumber = (digits: string): readonly Place[] => {
    numbers ??= indexNumbers(index);
    const places = numberPlaces(index, numbers, digits);
    return places.length > 0 ? places : textPlaces(index, digits).filter((place) => place.fit === 1);
  };
  const findText = (value: string): readonly Place[] => {
    if (value.length > maxCharacters) return [];
    const literal = textPlaces(index, value);
    const dated = datePlaces(value).filter((place) => !literal.some((other) => other.words[0] === place.words[0]));
    if (literal.length + dated.length > 0) return [...literal, ...dated];
    const signs = currencyPlaces(index, value);
    if (signs.length > 0) return signs;
    const amounts = numberReadings(value).filter((reading) => reading.likelihood === 1);
    if (amounts.length > 0) {
      numbers ??= indexNumbers(index);
      const places = amounts.flatMap((reading) => numberPlaces(index, numbers!, reading.digits));
      if (places.length > 0) return places;
    }
    return fuzzyPlaces(index, value);
  };

  return {
    index,
    placesOf: (value, raw) => {
      const key = typeof value === 'number' && raw !== undefined ? `number ${raw}` : value;
      const places = known.get(key) ?? (typeof value === 'number' ? findNumber(raw ?? String(value)) : findText(value));
      known.set(key, places);
      return places;
    },
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

function indexDates(index: PageIndex): DateIndex {
  const dates = new Map<string, Place[]>();
  const texts = index.tokens.map((token) => token.text);
  for (const start of texts.keys()) {
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
