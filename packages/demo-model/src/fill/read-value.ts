import { amountsIn } from '../values/amount.ts';
import { datesIn } from '../values/date.ts';
import { identifierAt } from '../values/identifier.ts';
import type { ValueKind } from './concept.ts';
import type { PageContext } from './page-context.ts';

export interface Reading {
  value: string | number;
  written: string;
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
      return date ? { value: date.iso, written: text.slice(date.start, date.end) } : null;
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
