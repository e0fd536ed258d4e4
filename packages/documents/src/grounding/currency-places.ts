import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** Places of a currency sign for a currency code: `€` for `EUR`. Empty when `value` is not a currency code. */
export function currencyPlaces(index: PageIndex, value: string): Place[] {
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
