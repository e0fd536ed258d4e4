import { decimalOf } from '@docwright/contract';
import { boundsOf, isWithin, type PartialDate } from './dates.ts';
import { leavesOf, type Evidence, type EvidenceBook, type QueryCondition } from './evidence.ts';
import { factsOf, manyDigits, type DateFact, type NumberFact } from './facts.ts';
import { fold } from './fold.ts';
import { unitOfWord, type Unit } from './units.ts';

/** A number or date that a cited id holds. */
export interface HeldValue {
  evidence: Evidence;
  number?: number;
  /** The digits of the number without its sign, if JavaScript's numbers do not keep them. */
  digits?: string | undefined;
  date?: PartialDate;
  currency?: string | undefined;
  unit?: Unit | undefined;
  isPercent?: boolean;
  /** The query compared with it; the value itself is not among the results. */
  condition?: QueryCondition['op'];
}

/** The texts that a cited id holds. */
export const textsOf = (evidence: Evidence): string[] =>
  evidence.kind === 'passage' ? [evidence.text] : leavesOf(evidence.value).map(String);

/** The numbers and dates that a cited id holds, with those that its query compared with. */
export function heldValues(evidence: Evidence, book: EvidenceBook): HeldValue[] {
  // A value calculated from two currencies means nothing.
  if (evidence.kind === 'calculation' && book.currenciesOf(evidence).size > 1 && !isRatio(evidence.value)) return [];
  const [currency] = evidence.currency === undefined ? book.currenciesOf(evidence) : [evidence.currency];
  const path = evidence.kind === 'passage' || evidence.kind === 'calculation' ? '' : evidence.path;
  const isCount = evidence.kind === 'aggregate' && (evidence.op === 'count' || evidence.op === 'distinct');
  const counted =
    evidence.kind === 'calculation' && evidence.unit !== undefined ? unitOfWord(evidence.unit) : undefined;
  const own = isCount ? {} : { currency, ...kindOfPath(path), ...(counted && { unit: counted }) };
  const leaves = evidence.kind === 'passage' ? [evidence.text] : leavesOf(evidence.value);
  const held = leaves.flatMap((leaf): HeldValue[] => {
    if (typeof leaf === 'number') {
      return [{ evidence, number: leaf, digits: manyDigits(String(Math.abs(leaf))), ...own }];
    }
    if (typeof leaf !== 'string') return [];
    return valuesInText(leaf).map((value) => ({
      evidence,
      ...(evidence.kind === 'passage' ? {} : currencyOf(value, currency)),
      ...value,
    }));
  });
  const asked = (evidence.conditions ?? []).find(
    ({ path: field, op }) => op === '=' && /currency/iu.test(field),
  )?.value;
  const limitCurrency = typeof asked === 'string' ? asked : currency;
  for (const { op, value } of evidence.conditions ?? []) {
    if (typeof value === 'number') held.push({ evidence, number: value, currency: limitCurrency, condition: op });
    else if (typeof value === 'string') {
      for (const each of valuesInText(value)) held.push({ evidence, ...each, condition: op });
    }
  }
  return held;
}

const isRatio = (value: unknown): boolean => typeof value === 'boolean';
const currencyOf = ({ number }: { number?: number }, currency: string | undefined) =>
  number === undefined || currency === undefined ? {} : { currency };

/** What the name of a field says about its numbers: `notice_days`, `tax_rate`. */
function kindOfPath(path: string): { unit?: Unit; isPercent?: boolean } {
  const words = fold(path.replaceAll(/([a-z])([A-Z])/gu, '$1_$2')).split(/[^\p{L}]+/u);
  if (words.some((word) => /^(?:percent|percentage|pct|prozent)$/u.test(word))) return { isPercent: true };
  const unit = words.map((word) => (word.length > 2 ? unitOfWord(word) : undefined)).find((each) => each !== undefined);
  return unit === undefined ? {} : { unit };
}

/** The numbers and dates of a text, in each reading of its separators. */
function valuesInText(text: string): Omit<HeldValue, 'evidence'>[] {
  return factsOf(text, 'either').flatMap((fact): Omit<HeldValue, 'evidence'>[] => {
    if (fact.kind === 'date') return fact.readings.map((date) => ({ date }));
    if (fact.kind === 'identifier') return [];
    const { unit, isPercent } = fact;
    return fact.readings.flatMap(({ value, digits }) =>
      (fact.currencies ?? [undefined]).map((currency) => ({ number: value, digits, currency, unit, isPercent })),
    );
  });
}

/** Whether a held number is what a sentence states, apart from its size. */
function isSameKind(stated: NumberFact, held: HeldValue, currencies: ReadonlySet<string>): boolean {
  if (stated.isPercent && held.currency !== undefined) return false;
  if (held.isPercent === true && (stated.currencies !== undefined || stated.unit !== undefined)) return false;
  if (stated.currencies !== undefined) {
    const code = held.currency ?? onlyOf(currencies);
    return code !== undefined && stated.currencies.includes(code) && held.unit === undefined;
  }
  if (stated.unit !== undefined) {
    return held.currency === undefined && (held.unit === undefined || held.unit.base === stated.unit.base);
  }
  // A number without a currency is clear only where all that is cited has the same.
  return held.currency === undefined || currencies.size <= 1;
}

const onlyOf = (set: ReadonlySet<string>): string | undefined => (set.size === 1 ? [...set][0] : undefined);

/** Two percent, as “about” allows. */
const nearness = 0.02;

/** Whether a held number supports what a sentence states of it. */
export function supportsNumber(stated: NumberFact, held: HeldValue, currencies: ReadonlySet<string>): boolean {
  if (stated.isYear && held.date !== undefined) {
    return stated.readings.some(({ value }) =>
      matchesDate({ ...stated, kind: 'date', readings: [{ year: value }] }, held),
    );
  }
  if (stated.isPage)
    return (
      held.evidence.kind === 'passage' &&
      stated.readings.some(({ value }) => 'page_num' in held.evidence && value === held.evidence.page_num)
    );
  if (held.number === undefined || !isSameKind(stated, held, currencies)) return false;
  if (held.condition !== undefined && !isBoundOf(stated.bound, held.condition)) return false;
  const factor = stated.unit && held.unit ? held.unit.factor / stated.unit.factor : 1;
  const values = [held.number * factor, ...(stated.isPercent && held.isPercent !== true ? [held.number * 100] : [])];
  return stated.readings.some(
    (reading) =>
      !isOtherLongNumber(reading.digits, held.digits, stated.bound) &&
      values.some((value) => isNear(reading, value, held.condition === undefined ? stated.bound : 'exact')),
  );
}

/** Whether two numbers of many digits differ, which can be the same number of JavaScript. */
function isOtherLongNumber(stated: string | undefined, held: string | undefined, bound: NumberFact['bound']): boolean {
  if (stated === undefined || held === undefined || bound === 'about') return false;
  return decimalOf(stated) !== decimalOf(held);
}

function isNear(
  { value, tolerance }: { value: number; tolerance: number },
  held: number,
  bound: NumberFact['bound'],
): boolean {
  const size = Math.abs(value - (held < 0 && value > 0 ? -held : held));
  if (bound === 'about') return size <= Math.max(tolerance, nearness * Math.abs(held)) * (1 + 1e-9);
  // “An invoice over 7,106.63” has that amount: a limit is round.
  if (bound === 'under' || (bound === 'over' && isRound(value))) return false;
  return size <= tolerance * (Number.isInteger(held) && tolerance === 0.5 ? 0.999 : 1 + 1e-9);
}

/** Whether the words before a number say what the query asked: “over 1,000” and `> 1000`. */
function isBoundOf(bound: NumberFact['bound'], op: QueryCondition['op']): boolean {
  if (op === '>' || op === '>=') return bound === 'over' || bound === 'at_least';
  if (op === '<' || op === '<=') return bound === 'under' || bound === 'at_most';
  return bound === 'exact';
}

/** Whether all held numbers of the kind satisfy a limit: “all three exceed 1,000 EUR”. */
export function satisfiesLimit(
  stated: NumberFact,
  all: readonly HeldValue[],
  currencies: ReadonlySet<string>,
): boolean {
  if (stated.bound === 'exact' || stated.bound === 'about') return false;
  const comparable = all.filter(
    (held) =>
      held.number !== undefined &&
      held.condition === undefined &&
      isSameKind(stated, held, currencies) &&
      (held.currency === undefined || stated.currencies !== undefined || currencies.size === 1),
  );
  const factorOf = (held: HeldValue) => (stated.unit && held.unit ? held.unit.factor / stated.unit.factor : 1);
  return (
    comparable.length > 0 &&
    stated.readings.some(
      ({ value }) =>
        isRound(value) && comparable.every((held) => isBeyond(held.number! * factorOf(held), value, stated.bound)),
    )
  );
}

/** A limit that is no value of the query's is round: “more than 5,000”. Otherwise it is a value that was misread. */
const isRound = (value: number): boolean =>
  value % 5 === 0 && (value / 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1)) - 2)) % 1 === 0;

function isBeyond(held: number, limit: number, bound: NumberFact['bound']): boolean {
  if (bound === 'over') return held > limit;
  if (bound === 'at_least') return held >= limit;
  return bound === 'under' ? held < limit : held <= limit;
}

/** Whether a held date is the stated one, or a limit of the query is. */
export function matchesDate(stated: DateFact | (Omit<DateFact, 'kind'> & { kind: 'date' }), held: HeldValue): boolean {
  const date = held.date;
  if (date === undefined) return false;
  if (held.condition === undefined) return stated.readings.some((reading) => isWithin(date, reading));
  return stated.readings.some((reading) => isLimit(reading, stated.bound, date, held.condition!));
}

/** Whether a limit of a query is the start or end of the stated period: “in March” and `>= 2026-03-01`. */
function isLimit(
  stated: PartialDate,
  bound: NumberFact['bound'],
  limit: PartialDate,
  op: QueryCondition['op'],
): boolean {
  const [period, at] = [boundsOf(stated), boundsOf(limit)];
  if (period === undefined || at === undefined) return isWithin(limit, stated);
  const day = 86_400_000;
  const isFirst = at.first === period.first || (op === '>' && at.next === period.first);
  const isNext = at.first === period.next || (op === '<=' && at.first === period.next - day);
  if (op === '=') return isWithin(limit, stated) && bound === 'exact';
  if (op === '~' || op === '!=') return false;
  const isLower = op === '>' || op === '>=';
  if (bound === 'exact' || bound === 'about') return isLower ? isFirst : isNext;
  if (bound === 'over' || bound === 'at_least')
    return isLower && (isFirst || at.first === period.next || (op === '>' && at.next === period.next));
  return !isLower && (isNext || at.first === period.first || (op === '<' && at.first === period.first));
}

/** Whether all held dates lie before or behind the stated one. */
export function satisfiesDateLimit(stated: DateFact, all: readonly HeldValue[]): boolean {
  if (stated.bound === 'exact' || stated.bound === 'about') return false;
  const dates = all.flatMap(({ date, condition }) => (date?.year === undefined || condition ? [] : [boundsOf(date)!]));
  return (
    dates.length > 0 &&
    stated.readings.some((reading) => {
      const period = boundsOf(reading);
      if (period === undefined) return false;
      if (stated.bound === 'over') return dates.every(({ first }) => first >= period.next);
      if (stated.bound === 'at_least') return dates.every(({ first }) => first >= period.first);
      if (stated.bound === 'under') return dates.every(({ next }) => next <= period.first);
      return dates.every(({ next }) => next <= period.next);
    })
  );
}
