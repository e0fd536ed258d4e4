import type { Evidence } from '../evidence.ts';
import { amount, date, localeOf, month, plain, roughly, type Language } from './notation.ts';
import { passageCases } from './passages.ts';
import { english, german } from './sentences-en-de.ts';
import { french, spanish } from './sentences-fr-es.ts';
import { aggregate, difference, documents, invoices, ofCurrency, ofSupplier, type Invoice } from './world.ts';

/** Sentences by what they speak of. `{a}` and its like are values, `[T]` and its like citations. */
export type Templates = Readonly<Record<'invoice' | 'pair' | 'supplier' | 'filter' | 'max', readonly string[]>>;

/** How a sentence was made untrue. */
export type LieKind = 'number' | 'name' | 'citation' | 'currency' | 'two_currencies' | 'passage';

export interface Case {
  text: string;
  locale: string;
  lie?: LieKind;
  more: Evidence[];
  /** Not looked at while the checker was written. */
  isAside: boolean;
}

type Values = Record<string, string>;
const templates: Readonly<Record<Language, Templates>> = { en: english, de: german, fr: french, es: spanish };

const fill = (template: string, values: Values, marks: Values): string =>
  template
    .replaceAll(/\{(\w+)\}/gu, (_, key: string) => values[key] ?? '')
    .replaceAll(/\[([A-Z]\d?)\]/gu, (_, key: string) => `[[${marks[key] ?? ''}]]`);

/** What can be said of an invoice, another of the same currency and their supplier, and what holds it. */
interface Subject {
  /** Which invoice it is. */
  at: number;
  values: Values;
  marks: Values;
  more: Evidence[];
}

const nextDay = (iso: string, days: number): string =>
  new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** `off` makes every number wrong, by one or by more than its words allow. */
function subjectOf(kind: keyof Templates, at: number, language: Language, style: number, off = 0): Subject {
  const largest = (currency: string) => ofCurrency(currency).toSorted((one, two) => two.total - one.total)[0]!;
  const isLargest = kind === 'max' || (kind === 'pair' && invoices[at]!.total < 4000);
  const invoice = isLargest ? largest(invoices[at]!.currency) : invoices[at]!;
  const { currency, supplier } = invoice;
  const others = ofCurrency(currency).filter((each) => each.supplier !== supplier && each.total < invoice.total);
  const second = others[at % others.length] ?? invoices[0]!;
  const own = ofSupplier(supplier, currency);
  const sum = aggregate(`s${invoice.at}`, 'sum', own);
  const count = aggregate(`k${invoice.at}`, 'count', own);
  const max = aggregate(`m${currency}`, 'max', ofCurrency(currency));
  const average = aggregate(`g${currency}`, 'avg', ofCurrency(currency));
  const threshold = [1000, 2000, 5000][at % 3]!;
  const above = ofCurrency(currency).filter(({ total }) => total > threshold);
  const conditions = [
    { path: 'total', op: '>' as const, value: threshold },
    { path: 'currency', op: '=' as const, value: currency },
  ];
  const filtered = aggregate(`f${currency}${threshold}`, 'count', above, { conditions });
  const gap = difference(invoice, second);
  const money = (value: number) => amount(value, currency, language, style);
  const file = (each: Invoice) => documents[each.at]!.name;
  const step = 10 ** (Math.floor(Math.log10(invoice.total)) - 1);
  const limit = Math.floor((invoice.total * 0.97) / step) * step;
  return {
    at: invoice.at,
    values: {
      S: supplier,
      n: invoice.number,
      f: file(invoice),
      c: currency,
      a: money(invoice.total + off),
      r: money(roughly(invoice.total) * (1 + off / 10)),
      d: date(nextDay(invoice.issued, off), language, style),
      u: date(nextDay(invoice.due, off), language, style),
      m: month(nextDay(invoice.issued, off * 45), language),
      x: plain(invoice.taxRate + off, language),
      p: String(invoice.days + off),
      l: money(off === 0 ? limit : Math.ceil((invoice.total * 1.03) / step) * step),
      S2: second.supplier,
      n2: second.number,
      a2: money(second.total),
      v: money(Number(gap.value) + off),
      s: money(Number(sum.value) + off),
      sr: money(roughly(Number(sum.value)) * (1 + off / 10)),
      k: String((kind === 'filter' ? above.length : own.length) + off),
      t: money(threshold),
      av: money(Number(average.value) + off),
    },
    marks: {
      T: `${invoice.id}.total`,
      D: `${invoice.id}.issued`,
      U: `${invoice.id}.due`,
      X: `${invoice.id}.tax_rate`,
      P: `${invoice.id}.payment`,
      N: `${invoice.id}.number`,
      T2: `${second.id}.total`,
      N2: `${second.id}.number`,
      V: gap.id,
      A: sum.id,
      K: count.id,
      F: filtered.id,
      M: max.id,
      G: average.id,
    },
    more: [sum, count, max, average, filtered, gap],
  };
}

const numbers = /\{(?:a|r|d|u|m|x|p|l|v|s|sr|k|av)\}/u;

/** An invoice that shares nothing with another: neither supplier nor amount, date, rate nor period. */
const unlike = (at: number): number => {
  const one = invoices[at]!;
  const found = invoices.find(
    (two) =>
      two.supplier !== one.supplier &&
      two.days !== one.days &&
      two.taxRate !== one.taxRate &&
      two.currency !== one.currency &&
      two.issued.slice(0, 7) !== one.issued.slice(0, 7) &&
      Math.abs(two.total - one.total) > 0.1 * one.total &&
      two.at > (at * 7) % 20,
  );
  return found!.at;
};

function* casesOf(
  language: Language,
  kind: keyof Templates,
  template: string,
  at: number,
): Generator<Omit<Case, 'isAside'>> {
  const locale = localeOf[language];
  const make = (values: Values, marks: Values, more: Evidence[], lie?: LieKind) => ({
    text: fill(template, values, marks),
    locale,
    more,
    ...(lie && { lie }),
  });
  for (let round = 0; round < 3; round++) {
    const index = (at * 5 + round * 19) % 60;
    const subject = subjectOf(kind, index, language, at + round);
    yield make(subject.values, subject.marks, subject.more);
    const other = subjectOf(kind, unlike(subject.at), language, at + round);
    const more = [...subject.more, ...other.more];
    if (round === 0 && numbers.test(template)) {
      yield make(subjectOf(kind, index, language, at, 1).values, subject.marks, more, 'number');
    }
    if (round === 1 && /\{(?:S|n|f)\}/u.test(template)) {
      const { S, n, f } = subjectOf('invoice', unlike(subject.at), language, at).values;
      yield make({ ...subject.values, S: S!, n: n!, f: f! }, subject.marks, more, 'name');
    }
    if (round === 2 && /\{\w+\}/u.test(template)) yield make(subject.values, other.marks, more, 'citation');
    if (round === 1 && /\{(?:a|s|r|v)\}/u.test(template)) {
      const code = invoices[subject.at]!.currency;
      const [from, to] = [code, code === 'USD' ? 'EUR' : 'USD'];
      const swap = (text: string) =>
        text.replaceAll(from, to).replaceAll(/US\$|[$€]|(?<= )CHF|CHF(?= )/gu, to === 'EUR' ? '€' : '$');
      const changed = Object.fromEntries(['a', 's', 'r', 'v'].map((key) => [key, swap(subject.values[key]!)]));
      yield make({ ...subject.values, ...changed }, subject.marks, more, 'currency');
    }
    if (round === 0 && template.includes('{s}')) {
      const { supplier } = invoices[subject.at]!;
      const sums = ['EUR', 'USD'].map((code) => aggregate(`both${code}`, 'sum', ofSupplier(supplier, code)));
      const total = sums.reduce((whole, { value }) => whole + Number(value), 0);
      const marks = { ...subject.marks, A: sums.map(({ id }) => id).join(', ') };
      const values = { ...subject.values, s: amount(Math.round(total * 100) / 100, 'EUR', language, at) };
      yield make(values, marks, [...more, ...sums], 'two_currencies');
    }
  }
}

/** All sentences, true and untrue. Those of every third template are aside, so that no words of theirs were seen. */
export function* allCases(): Generator<Case> {
  for (const language of ['en', 'de', 'fr', 'es'] as const) {
    let count = 0;
    for (const kind of ['invoice', 'pair', 'supplier', 'filter', 'max'] as const) {
      for (const template of templates[language][kind]) {
        const at = count++;
        for (const each of casesOf(language, kind, template, at)) yield { ...each, isAside: at % 3 === 2 };
      }
    }
  }
  for (const [at, { language, passage, holds, lies }] of passageCases.entries()) {
    const document_id = documents[at]!.id;
    const more: Evidence[] = [{ kind: 'passage', id: 'p1', document_id, page_num: 2, text: passage }];
    const make = (sentence: string) => ({
      text: sentence.replace(/\.$/u, ' [[p1]].'),
      locale: localeOf[language],
      more,
      isAside: at % 3 === 2,
    });
    for (const sentence of holds) yield make(sentence);
    for (const sentence of lies) yield { ...make(sentence), lie: 'passage' };
  }
}
