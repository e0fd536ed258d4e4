import { fold } from './field-words.ts';

/** The form of a field's value, as its name and its schema say. */
export type Form =
  | 'amount'
  | 'date'
  | 'identifier'
  | 'iban'
  | 'bic'
  | 'mail'
  | 'phone'
  | 'tax_id'
  | 'currency'
  | 'address'
  | 'text';

const month = String.raw`(?:jan|feb|mar|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez|fev|avr|gen|mag|giu|lug|ago|set|ott|dic|ene|abr|mrt|mei)\p{L}{0,7}\.?`;

const currencies = String.raw`[$€£¥]|(?<!\p{L})(?:eur|usd|gbp|chf|euro|pln|sek|dkk|nok|jpy|cad|aud|inr|myr|rm)(?!\p{L})`;

const forms: Readonly<Record<Exclude<Form, 'text'>, RegExp>> = {
  amount:
    /(?<![\p{L}\d.,/-])[-(]?(?:(?:[$€£¥]|rm|usd|eur|gbp|chf) ?)?(?:\d{1,3}(?:[.,' ]\d{3}){1,4}|\d{1,9})(?:[.,]\d{2})(?![\d%]|[.,/]\d)|(?:[$€£¥]|rm|usd|eur|gbp|chf) ?\d{1,9}(?![\d.,])|(?<![\d.,])\d{1,9} ?(?:€|eur|usd|gbp|chf)(?!\p{L})/giu,
  date: new RegExp(
    String.raw`(?<!\d)(?:\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?![\d])|(?<!\d)\d{1,2}(?:st|nd|rd|th|er|\.)?[ -](?:de )?${month}[ -](?:de |del )?\d{4}|(?<!\p{L})${month} \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
    'giu',
  ),
  identifier:
    /(?=\p{L}{0,40}(?:[-/.]\p{L}{0,40})?(?:[-/.]\p{L}{0,4})?\d)[\p{L}\d](?:[\p{L}\d]|[-/._ ](?=[\p{L}\d])){1,40}/giu,
  iban: /(?<![\p{L}\d])[a-z]{2}\d{2}(?: ?[a-z\d]{4}){2,7}(?: ?[a-z\d]{1,3})?(?![\p{L}\d])/giu,
  bic: /(?<![\p{L}\d])[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?(?![\p{L}\d])/gu,
  currency: new RegExp(currencies, 'giu'),
  /** A postal code with its town, or a street with its number. */
  address:
    /(?<![\p{L}\d.,/-])\d{4,6},? +\p{Lu}\p{L}{2,}|\p{L}{3,}[, ]+(?:[A-Z]{2} )?\d{5}(?![\d.,])|\p{L}{3,}(?:str\.|strasse|straße|laan|straat) ?\d{1,4}|(?<!\d)\d{1,5},? (?:rue|avenue|boulevard|jalan|jln|\p{L}{3,20} (?:street|st|road|rd|avenue|ave|lane|drive|blvd))(?!\p{L})|(?<!\p{L})(?:rue|via|calle|jalan) \p{L}/giu,
  mail: /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}/giu,
  phone: /(?<![\p{L}\d])\+?\(?\d[\d ()/.-]{6,20}\d/giu,
  tax_id:
    /(?<![\p{L}\d])(?:[a-z]{2} ?\d[\d. ]{6,12}\d[a-z\d]{0,3}|[a-z]{2}\d{9}b\d{2}|\d{2}[ /-]?\d{3}[ /-]?\d{4,5})(?![\p{L}\d])/giu,
};

/** The values of a form in a text. A text is one of its form if it has a letter. */
export function valuesIn(text: string, form: Form): string[] {
  if (form !== 'text') return Array.from(text.matchAll(forms[form]), ([found]) => found);
  return /\p{L}{2}|\d/u.test(text) ? [text] : [];
}

/** What two writings of a value have in common: the digits of an amount or an identifier, the letters and digits of others. */
export function keyOf(text: string, form: Form): string {
  if (form === 'amount') {
    const digits = text
      .replaceAll(/[^\d.,]/gu, '')
      .replace(/[.,](\d{1,2})$/u, '_$1')
      .replaceAll(/[.,]/gu, '');
    return String(Number(digits.replace('_', '.')));
  }
  if (form === 'date') {
    const numbers = text.match(/\d+/gu) ?? [];
    const year = numbers.find((part) => part.length === 4) ?? `20${numbers.at(-1) ?? ''}`;
    const rest = numbers.filter((part) => part.length <= 2).map(Number);
    return `${year} ${Math.max(0, ...rest)} ${rest.length > 1 ? Math.min(...rest) : ''}`.trim();
  }
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
