import type { Found, PageContext } from './page-context.ts';

/** The currency of the document, with the first line that carries its mark. */
export function findCurrency(context: PageContext): Found<string> | null {
  const { currency } = context;
  if (currency === null) return null;
  const signs: Readonly<Record<string, RegExp>> = { EUR: /€|EUR/u, USD: /\$|USD/u, GBP: /£|GBP/u, MYR: /RM|MYR/u };
  const mark = signs[currency] ?? new RegExp(currency, 'u');
  const line = context.lines.find((one) => mark.test(one.text));
  return line ? { value: currency, written: currency, line, score: 1 } : null;
}
