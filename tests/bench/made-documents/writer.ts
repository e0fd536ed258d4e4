import { wordsOfHalf, type Half, type Locale, type PaperLabel, type Wordings } from './locale.ts';
import type { Random } from './random.ts';

export interface Day {
  year: number;
  month: number;
  day: number;
}

/** Writes the values of one paper: each paper has one format of dates and one of amounts. */
export class Writer {
  readonly locale: Locale;
  readonly half: Half;
  readonly random: Random;
  readonly #dateForm: string;
  readonly #showsSign: boolean;
  readonly #labels = new Map<PaperLabel, string>();

  constructor(locale: Locale, half: Half, random: Random) {
    this.locale = locale;
    this.half = half;
    this.random = random;
    this.#dateForm = this.one(locale.dates);
    this.#showsSign = random.chance(0.5);
  }

  one(wordings: Wordings): string {
    return this.random.pick(wordsOfHalf(wordings, this.half));
  }

  label(name: PaperLabel): string {
    const known = this.#labels.get(name) ?? this.one(this.locale.labels[name]);
    this.#labels.set(name, known);
    return known;
  }

  number(value: number, decimals = 2): string {
    const [whole = '', rest] = value.toFixed(decimals).split('.');
    const grouped = whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/gu, this.locale.group);
    return rest === undefined ? grouped : `${grouped}${this.locale.decimal}${rest}`;
  }

  amount(value: number): string {
    const { sign, isBefore } = this.locale.currency;
    const written = this.number(value);
    if (!this.#showsSign) return written;
    return isBefore ? `${sign}${this.locale.code === 'en' ? '' : ' '}${written}` : `${written} ${sign}`;
  }

  date({ year, month, day }: Day): string {
    const two = (value: number): string => String(value).padStart(2, '0');
    const parts: Readonly<Record<string, string>> = {
      YYYY: String(year),
      YY: two(year % 100),
      MMM: this.locale.months[month - 1]!,
      MM: two(month),
      M: String(month),
      DD: two(day),
      D: String(day),
    };
    return this.#dateForm.replaceAll(/YYYY|YY|MMM|MM|M|DD|D/gu, (part) => parts[part]!);
  }

  day(fromYear: number, toYear: number): Day {
    return {
      year: this.random.between(fromYear, toYear),
      month: this.random.between(1, 12),
      day: this.random.between(1, 28),
    };
  }
}

export function iso({ year, month, day }: Day): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

export function cents(value: number): number {
  return Math.round(value * 100) / 100;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
