/** Patterns of values that their form identifies without a label. */
export const codedValues = {
  iban: /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![\p{L}\d])/u,
  bic: /(?<![\p{L}\d])[A-Z]{4}(?:AT|BE|CH|DE|DK|ES|FI|FR|GB|IE|IT|LU|NL|NO|PL|PT|SE|US)[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![\p{L}\d])/u,
  vatId:
    /(?<![\p{L}\d])(?:ATU ?\d{8}|BE ?0?\d{9}|DE ?\d{3} ?\d{3} ?\d{3}|DK ?\d{8}|ES ?[A-Z]\d{7}[A-Z0-9]|FI ?\d{8}|FR ?[A-Z0-9]{2} ?\d{9}|GB ?\d{3} ?\d{4} ?\d{2}|IT ?\d{11}|LU ?\d{8}|NL ?\d{9}B\d{2}|PL ?\d{10}|PT ?\d{9}|SE ?\d{12}|CHE-?\d{3}\.?\d{3}\.?\d{3})(?![\p{L}\d])/u,
  email: /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/u,
  website: /(?:https?:\/\/|www\.)[^\s,;)]+/u,
  phone: /(?<![\p{L}\d])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{2,5}(?:[ ./-]\d{2,8}){1,5}(?![\p{L}\d])/u,
} as const;

export type CodedKind = keyof typeof codedValues;

/** Whether an IBAN's two check digits are right (ISO 13616). */
export function isIban(written: string): boolean {
  const compact = written.replaceAll(' ', '');
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replaceAll(/[A-Z]/gu, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return /^\d+$/u.test(digits) && BigInt(digits) % 97n === 1n;
}

const currencyBySign: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  RM: 'MYR',
};
const currencyMark =
  /(?<![\p{L}])(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|INR|CAD|AUD|NZD|SGD|HKD|MXN|MYR|RM(?=\s*\d)|(?<=\()RM)(?![\p{L}])|[€$£¥₹]/gu;

/** The ISO 4217 code of the most frequent currency sign in a text; null without one. */
export function currencyOf(text: string): string | null {
  const marks = Array.from(text.matchAll(currencyMark), ([mark]) => mark);
  // Many countries write their dollar as `$`, so its code says which one it is.
  const dollar = marks.find((mark) => /^(?:CAD|AUD|NZD|SGD|HKD|MXN)$/u.test(mark)) ?? 'USD';
  const counts = new Map<string, number>();
  for (const mark of marks) {
    const code = mark === '$' ? dollar : (currencyBySign[mark] ?? mark);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [frequent] = [...counts].sort((a, b) => b[1] - a[1]);
  return frequent?.[0] ?? null;
}
