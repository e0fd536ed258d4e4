import {
  dayAsIso,
  formatAmount,
  formatDay,
  formatNumber,
  isAmount,
  numberAsJson,
  editableNumber,
} from '../formats/locale.ts';
import { textsOfRoundedNumbers } from '@docwright/contract';
import type { FieldNode } from './result-tree.ts';
import type { FieldShape } from './field-shape.ts';

/** Formats a value in the locale; a missing value is empty. */
export function formatValue({ value, shape, path }: Pick<FieldNode, 'value' | 'shape' | 'path'>): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    const name = path.split('.').findLast((part) => !/^\d+$/u.test(part)) ?? '';
    return shape.type !== 'integer' && isAmount(name) ? formatAmount(value) : formatNumber(value);
  }
  // Many schemas have days without the format `date`; tables of results show them as days, too.
  return shape.options ? value : formatDay(value);
}

/** Formats a value for editing, in the locale. */
export function editableValue(value: FieldNode['value']): string {
  if (value === null) return '';
  return typeof value === 'number' ? editableNumber(value) : String(value);
}

type ParsedValue = { ok: true; value: FieldNode['value'] } | { ok: false; message: string };

/** Parses typed text into a value that fits the schema. */
export function parseValue(text: string, shape: FieldShape): ParsedValue {
  const trimmed = text.trim();
  if (trimmed === '') {
    if (shape.nullable) return { ok: true, value: null };
    return shape.type === 'text' ? { ok: true, value: '' } : { ok: false, message: 'A value is required.' };
  }
  if (shape.type === 'number' || shape.type === 'integer') {
    const digits = numberAsJson(trimmed);
    if (digits === undefined) return { ok: false, message: `Enter a number, such as ${formatAmount(1234.5)}.` };
    const number = Number(digits);
    if (shape.type === 'integer' && !Number.isInteger(number)) return { ok: false, message: 'Enter a whole number.' };
    // The server stores the text of a number that JavaScript would round as a number with all of its digits.
    return { ok: true, value: textsOfRoundedNumbers(digits, '').size > 0 ? digits : number };
  }
  if (shape.type === 'boolean') {
    const answer = /^(?:(true|yes)|(false|no))$/iu.exec(trimmed);
    return answer ? { ok: true, value: answer[1] !== undefined } : { ok: false, message: 'Enter yes or no.' };
  }
  if (shape.options && !shape.options.map(String).includes(trimmed)) {
    return { ok: false, message: `Enter one of: ${shape.options.join(', ')}.` };
  }
  return { ok: true, value: textAsValue(text, shape) };
}

/** A typed day is stored as `2026-01-31`, as extractions store it; other text stays as it is typed. */
export const textAsValue = (text: string, shape: FieldShape): string => (shape.isDay && dayAsIso(text)) || text;

/** Numbers, dates and ids are never broken over two lines; longer texts are. */
export const wrapClass = (text: string): string =>
  isUnbroken(text) ? 'whitespace-nowrap' : 'whitespace-pre-wrap wrap-anywhere';

export const isUnbroken = (text: string): boolean =>
  text.length <= maxUnbroken && /\d/u.test(text) && !/\p{L}{2,} \p{L}{2,}/u.test(text);

/** As long as an IBAN of most countries, written in fours. */
const maxUnbroken = 27;
