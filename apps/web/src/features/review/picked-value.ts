import { textsOfRoundedNumbers } from '@docwright/contract';
import type { documentWords } from '@docwright/contract';
import type { z } from 'zod';
import { editableNumber, numberAsJson } from '../../shared/formats/locale.ts';
import type { FieldShape } from '../../shared/values/field-shape.ts';
import type { PickedBox } from '../../shared/values/page-pick.tsx';

type DocumentWords = z.infer<typeof documentWords>;

/** The words whose centre is in a box, in the order of the page. */
export function textIn({ page, words }: DocumentWords, box: PickedBox): string {
  const inside = words.filter(({ x0, y0, x1, y1 }) => {
    const [x, y] = [(x0 + x1) / 2 / page.width, (y0 + y1) / 2 / page.height];
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  });
  return inside.map(({ text }) => text).join(' ');
}

/**
 * Converts text from a page to what a user would type for a field: a number in the user's locale, a date as `2026-01-31`.
 * Text that cannot be converted is returned unchanged, and the editor shows what is wrong with it.
 *
 * @example readPicked('EUR 1.234,50', { type: 'number', nullable: true }, 'Sum 12,00', 'en') // '1234.5'
 */
export function readPicked(text: string, shape: FieldShape, pageText: string, locale?: string): string {
  if (shape.type === 'number' || shape.type === 'integer') return numberIn(text, pageText, locale) ?? text;
  if (shape.format === 'date') return dayIn(text, locale) ?? text;
  const option = shape.options?.find((each) => String(each).toLowerCase() === text.trim().toLowerCase());
  return option === undefined ? text : String(option);
}

/** The only number in a text, read with the decimal mark that the page uses. */
function numberIn(text: string, pageText: string, locale: string | undefined): string | undefined {
  const found = text.match(/[-+−(]?\s?\d(?:[\d.,'’]|[\s\u00A0\u202F](?=\d{3}(?!\d)))*-?/gu) ?? [];
  if (found.length !== 1) return undefined;
  const [picked] = found as [string];
  const isNegative = /^[-−(]|-$/u.test(picked);
  const bare = picked.replaceAll(/^[-+−(]\s?|-$/gu, '').replace(/[.,]$/u, '');
  const digits = numberAsJson(bare, decimalMark(`${pageText} ${text}`) ?? locale);
  if (digits === undefined) return undefined;
  const written = `${isNegative ? '-' : ''}${digits}`;
  // A number that JavaScript would round keeps its digits.
  return textsOfRoundedNumbers(written, '').size > 0 ? written : editableNumber(Number(written), locale);
}

/** A locale with the decimal mark of the amounts in a text; undefined if they are ambiguous. */
function decimalMark(text: string): string | undefined {
  const points = text.match(/\d\.\d{2}(?![\d.,])/gu)?.length ?? 0;
  const commas = text.match(/\d,\d{2}(?![\d.,])/gu)?.length ?? 0;
  return points === commas ? undefined : points > commas ? 'en' : 'de';
}

const monthLocales = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];

/** The date in a text as `2026-01-31`; undefined without a valid date. Ambiguous dates follow the locale. */
function dayIn(text: string, locale: string | undefined): string | undefined {
  const written = text.trim();
  const iso = /(\d{4})[-./](\d{1,2})[-./](\d{1,2})/u.exec(written);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const short = /(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})(?!\d)/u.exec(written);
  if (short) {
    const [first, second] = [Number(short[1]), Number(short[3])];
    const isMonthFirst = first > 12 ? false : second > 12 ? true : short[2] === '.' ? false : startsWithMonth(locale);
    const year = Number(short[4]!.length === 2 ? `20${short[4]}` : short[4]);
    return isMonthFirst ? dayOf(year, first, second) : dayOf(year, second, first);
  }
  const year = /\b\d{4}\b/u.exec(written)?.[0];
  const day = /(?<!\d)\d{1,2}(?!\d)/u.exec(written)?.[0];
  const month = monthIn(written);
  return year && day && month ? dayOf(Number(year), month, Number(day)) : undefined;
}

function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}

const startsWithMonth = (locale: string | undefined) =>
  new Intl.DateTimeFormat(locale).formatToParts().find(({ type }) => type === 'month' || type === 'day')?.type ===
  'month';

function monthIn(text: string): number | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  for (const locale of monthLocales) {
    for (let month = 1; month <= 12; month += 1) {
      const name = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
        .format(Date.UTC(2000, month - 1, 1))
        .toLowerCase();
      if (words.some((word) => word === name || (word.length >= 3 && name.startsWith(word)))) return month;
    }
  }
  return undefined;
}
