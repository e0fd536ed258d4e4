import { foldedTokens } from './fold-text.ts';

/** Expected languages of documents. The month names themselves come with the runtime. */
const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'ro', 'tr'];
const SHORTEST_NAME = 3;

let known: ReadonlyMap<string, number> | undefined;

/** Number of the month, 1–12, for a folded name or its abbreviation. */
export function monthNumber(name: string): number | undefined {
  known ??= monthNames();
  return known.get(name);
}

function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const locale of LOCALES) {
    for (const style of ['long', 'short'] as const) {
      // Beside a day, the name has its form in dates: Polish `marca`, not `marzec`.
      const alone = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' });
      const inDate = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const date = new Date(Date.UTC(2024, month - 1, 15));
        const written = inDate.formatToParts(date).find((part) => part.type === 'month')?.value ?? '';
        for (const name of [alone.format(date), written]) {
          const [token = ''] = foldedTokens(name);
          if (token.length < SHORTEST_NAME || /\d/.test(token)) continue;
          names.set(token, names.get(token) ?? month);
          if (style === 'long')
            names.set(token.slice(0, SHORTEST_NAME), names.get(token.slice(0, SHORTEST_NAME)) ?? month);
        }
      }
    }
  }
  return names;
}
