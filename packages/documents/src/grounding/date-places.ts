import { dateReadings } from './date-readings.ts';
import { foldedTokens } from './fold-text.ts';
import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** Finds every day on the pages, in any order of day, month and year and in any known language. */
export type DateIndex = ReadonlyMap<string, readonly Place[]>;

export function indexDates(index: PageIndex): DateIndex {
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

/** The days that a value can mean; none when it is not a date. */
export function daysOf(value: string): string[] {
  if (!/\d/.test(value)) return [];
  const tokens = foldedTokens(value);
  return dateReadings(tokens, 0)
    .filter((reading) => reading.tokens === tokens.length || /^\d{4}-\d{2}-\d{2}[T ]/.test(value))
    .map((reading) => reading.day);
}
