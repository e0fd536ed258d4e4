import type { ValueKind } from '@docwright/language';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import type { PageContext } from './page-context.ts';

export interface Reading {
  value: string | number;
  written: string;
  /** Whether it can be read in another way too, or could go on in what is beside or below it. */
  isUnsure?: boolean;
}

/** Reads one value of a kind from the text after a label; null when the text has none. */
export function readValue(text: string, kind: ValueKind, context: PageContext): Reading | null {
  switch (kind) {
    case 'amount': {
      // The last amount of a cell is the sum; the amounts before it are its parts.
      const dates = datesIn(text, context.dayOrder);
      const amounts = amountsIn(text, context.decimal);
      const amount = amounts.findLast(({ start, end }) => !dates.some((date) => start < date.end && date.start < end));
      return amount ? { value: amount.value, written: text.slice(amount.start, amount.end).trim() } : null;
    }
    case 'percent': {
      const match = /(-?\d+(?:[.,]\d+)?)\s?%/u.exec(text);
      return match ? { value: Number((match[1] ?? '').replace(',', '.')), written: match[0] } : null;
    }
    case 'date': {
      const [date] = datesIn(text, context.dayOrder);
      if (!date) return null;
      const isUnsure = date.isAmbiguous === true && !context.isDayOrderKnown;
      return { value: date.iso, written: text.slice(date.start, date.end), ...(isUnsure && { isUnsure }) };
    }
    case 'identifier': {
      if (datesIn(text, context.dayOrder)[0]?.start === 0) return null;
      const identifier = identifierAt(text);
      return identifier === null ? null : { value: identifier, written: identifier };
    }
    case 'text': {
      const trimmed = text.trim();
      return /[\p{L}\d☐☒☑]/u.test(trimmed) ? { value: trimmed, written: trimmed } : null;
    }
  }
}

/**
 * A number or code at the start of a text: one word with a digit, with the digit groups after it (`12 345 678`) or the
 * short prefix before it (`DE 232 446 240`). Null when the text starts with neither.
 */
export function identifierAt(text: string): string | null {
  const words = text.trim().split(/\s+/u);
  const isPrefix = /^[A-Z]{1,4}$/u.test(words[0] ?? '') && /^\d/u.test(words[1] ?? '');
  const taken: string[] = isPrefix ? words.slice(0, 2) : words.slice(0, 1);
  const head = taken.at(-1) ?? '';
  if (!/^[#\p{L}\d][\p{L}\d\-/.#&_]*[,;]?$/u.test(head) || !/\d/u.test(head)) return null;
  if (/^[\d #]+$/u.test(head)) {
    for (const word of words.slice(taken.length)) {
      if (!/^\d{2,4}$/u.test(word)) break;
      taken.push(word);
    }
  }
  return taken.join(' ').replace(/[.,;]+$/u, '');
}
