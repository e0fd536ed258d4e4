/** The decimal sign of a document. */
export type DocumentDecimalSign = ',' | '.';

export interface Amount {
  value: number;
  /** Position of the amount in the text; `end` is exclusive. */
  start: number;
  end: number;
}

const currencySign = '(?:[€$£¥₹]|(?:EUR|USD|GBP|CHF|RM|SEK|NOK|DKK|PLN|INR|JPY|CAD|AUD|Fr\\.|kr\\.?|Rs\\.?))';
const digits = "\\d{1,3}(?:[.,' \\u00a0\\u202f’]\\d{3})+(?:[.,]\\d{1,4})?|\\d+(?:[.,]\\d{1,4})?";
const amountPattern = new RegExp(
  `(?<![\\p{L}\\d.,/:-])(?<open>\\()?(?<sign>[-+−])?\\s?(?:${currencySign}\\s?)?(?<sign2>[-−])?\\s?(?<digits>${digits})(?![\\d:]|/(?!\\s?\\p{L})|[.,-]\\d|[.,][^\\s\\d]|\\s?%|\\s(?:days?|tagen?|jours?|giorni|dagen|dias|d[ií]as|months?|monate?n?)\\b)(?:\\s?${currencySign})?`,
  'gu',
);

/** The decimal sign of most amounts with two decimals in a document. */
export function decimalSignOf(text: string): DocumentDecimalSign {
  const commas = text.match(/\d,\d{2}(?![\d.,])/gu)?.length ?? 0;
  const points = text.match(/\d\.\d{2}(?![\d.,])/gu)?.length ?? 0;
  return commas > points ? ',' : '.';
}

/** All amounts of money and plain numbers in a text, from left to right, without percentages, dates and parts of codes. */
export function amountsIn(text: string, decimal: DocumentDecimalSign): Amount[] {
  const amounts: Amount[] = [];
  for (const match of text.matchAll(amountPattern)) {
    const { digits: written = '', sign, sign2, open } = match.groups ?? {};
    const value = numberFrom(written, decimal);
    if (value === null) continue;
    const negative = (sign ?? sign2 ?? '') !== '' ? /[-−]/u.test(sign ?? sign2 ?? '') : open !== undefined;
    amounts.push({ value: negative ? -value : value, start: match.index, end: match.index + match[0].length });
  }
  return amounts;
}

/** `1.234,56` or `1,234.56` as a number; null for other texts. `decimal` decides the meaning of a single sign before three digits. */
export function numberFrom(written: string, decimal: DocumentDecimalSign): number | null {
  const compact = written.replaceAll(/[\s'’\u00a0\u202f]/gu, '');
  const lastComma = compact.lastIndexOf(',');
  const lastPoint = compact.lastIndexOf('.');
  let sign: string = decimal;
  if (lastComma !== -1 && lastPoint !== -1) sign = lastComma > lastPoint ? ',' : '.';
  else if (lastComma !== -1 || lastPoint !== -1) {
    const only = lastComma === -1 ? '.' : ',';
    const position = Math.max(lastComma, lastPoint);
    const isRepeated = compact.indexOf(only) !== position;
    const isThousands = isRepeated || (compact.length - position === 4 && only !== decimal);
    sign = isThousands ? (only === ',' ? '.' : ',') : only;
  }
  const group = sign === ',' ? '.' : ',';
  const value = Number(compact.replaceAll(group, '').replace(sign, '.'));
  return Number.isFinite(value) ? value : null;
}
