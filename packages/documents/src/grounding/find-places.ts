import type { Page } from '../page.ts';
import { currencyPlaces } from './currency-places.ts';
import { daysOf, indexDates, type DateIndex } from './date-places.ts';
import { fuzzyPlaces } from './fuzzy-places.ts';
import { indexNumbers, numberPlaces, type NumberIndex } from './number-places.ts';
import { numberReadings } from './number-readings.ts';
import { indexPages, type PageIndex } from './page-index.ts';
import type { Place } from './place.ts';
import { textPlaces } from './text-places.ts';

export interface PlaceFinder {
  index: PageIndex;
  /** All possible places of the value; empty when there is none. */
  readonly placesOf: (value: string | number) => readonly Place[];
}

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
  const find = (value: string | number): readonly Place[] => {
    if (typeof value === 'number') {
      numbers ??= indexNumbers(index);
      const places = numberPlaces(index, numbers, value);
      return places.length > 0 ? places : textPlaces(index, String(value)).filter((place) => place.fit === 1);
    }
    const literal = textPlaces(index, value);
    const dated = datePlaces(value).filter((place) => !literal.some((other) => other.words[0] === place.words[0]));
    if (literal.length + dated.length > 0) return [...literal, ...dated];
    const signs = currencyPlaces(index, value);
    if (signs.length > 0) return signs;
    const amounts = numberReadings(value).filter((reading) => reading.likelihood === 1);
    if (amounts.length > 0) {
      numbers ??= indexNumbers(index);
      const places = amounts.flatMap((reading) => numberPlaces(index, numbers!, reading.value));
      if (places.length > 0) return places;
    }
    return fuzzyPlaces(index, value);
  };

  return {
    index,
    placesOf: (value) => {
      const places = known.get(value) ?? find(value);
      known.set(value, places);
      return places;
    },
  };
}
