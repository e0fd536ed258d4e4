import type { ClaimSupport } from '@docwright/contract';
import type { TextLanguage } from '@docwright/language';
import type { Bound } from './bounds.ts';
import { leavesOf, type Evidence, type EvidenceBook } from './evidence.ts';
import { fittingWeekday } from './dates.ts';
import { factsOf, type DecimalSign, type Fact, type NumberFact } from './facts.ts';
import { fold } from './fold.ts';
import type { FoundName, NameIndex } from './names.ts';
import { clauseAround, isAbout, wronglyPaired, type HeldFact } from './pairing.ts';
import { otherNumeralIn, withAsciiDigits } from './numerals.ts';
import { languageOf, negates, problemWithPassages, quotesOf, standsIn } from './passages.ts';
import { segmentsOf, withoutMarks, type Segment } from './segments.ts';
import { heldValues, matchesDate, satisfiesDateLimit, satisfiesLimit, supportsNumber, textsOf } from './values.ts';
import { currenciesOfWord } from './units.ts';
import { wronglyCalled, wronglyNamed, wronglyTimed } from './value-kinds.ts';

/** What all sentences of an answer are checked with. */
export interface CheckContext {
  book: EvidenceBook;
  names: NameIndex;
  decimal: DecimalSign;
  language: TextLanguage | undefined;
}

interface Checked {
  support: ClaimSupport;
  why?: string;
  /** All ids that the sentence cites. */
  ids: string[];
}

/** The parts of a sentence that can be compared. */
interface Stated {
  facts: Fact[];
  names: FoundName[];
}

type Range = { start: number; end: number };
const overlaps = (one: Range, other: Range): boolean => one.start < other.end && other.start < one.end;
const blankOut = (text: string, ranges: readonly Range[]): string =>
  ranges.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);

/** Checks one sentence. `led` are the ids of the rows below it, if it leads a list or table. */
export function checkSentence(sentence: string, led: readonly string[], context: CheckContext): Checked {
  const { book } = context;
  const segments = segmentsOf(sentence).map((segment) => ({ ...segment, ids: [...segment.ids, ...led] }));
  const ids = [...new Set(segments.flatMap((segment) => segment.ids))];
  const text = withAsciiDigits(withoutMarks(sentence));
  const quotes = quotesOf(text);
  const names = context.names.find(text);
  const isFree = (range: Range) => ![...names, ...quotes].some((each) => overlaps(each, range));
  const facts = factsOf(text, context.decimal, languageOf(text, context.language))
    .filter(isFree)
    .map((fact) => turned(fact, text, context))
    .map((fact) => (fact.kind === 'date' ? { ...fact, readings: fittingWeekday(text, fact) } : fact));
  const unsupported = (why: string): Checked => ({ support: 'unsupported', why, ids });

  const numeral = otherNumeralIn(blankOut(text, [...names, ...quotes]));
  if (numeral !== undefined) {
    return unsupported(`“${numeral}” is a number in signs that are not compared. Write it with the digits 0 to 9.`);
  }
  const unknown = ids.find((id) => book.get(id) === undefined);
  if (unknown !== undefined) return unsupported(`No tool answered the id ${unknown}.`);
  if (ids.length === 0) {
    const [first] = [...facts, ...names, ...quotes].toSorted((one, other) => one.start - other.start);
    if (first === undefined) return { support: 'not_checkable', ids };
    return unsupported(`“${first.text.trim()}” has no citation.`);
  }
  const cited = ids.map((id) => book.get(id)!);
  const quote = quotes.find(({ text: words }) => !isQuoted(words, cited, context));
  if (quote !== undefined) return unsupported(`“${quote.text}” does not stand in what is cited.`);
  for (const segment of segments) {
    const within = ({ start }: Range) => start >= segment.from && start < segment.to;
    const stated = { facts: facts.filter(within), names: names.filter(within) };
    const problem = problemWithSegment(text, segment, segments, stated, context);
    if (problem !== undefined) return unsupported(problem);
  }
  const passages = cited.flatMap((evidence) => (evidence.kind === 'passage' ? [evidence.text] : []));
  const plain = blankOut(text, [...names, ...facts]);
  if (passages.length > 0) {
    const problem = problemWithPassages(plain, passages, context.language, quotes.length > 0);
    if (problem !== undefined) return unsupported(problem);
  } else {
    const problem = problemWithStates(
      plain,
      facts.filter(({ kind }) => kind === 'number').length,
      cited,
      context.language,
    );
    if (problem !== undefined) return unsupported(problem);
  }
  const isCompared = facts.length + names.length + quotes.length + passages.length > 0 || cited.some(isState);
  if (isCompared) return { support: 'supported', ids };
  return { support: 'not_checkable', why: 'It states no number, name or quotation that could be compared.', ids };
}

const opposite: Partial<Record<Bound, Bound>> = {
  over: 'at_most',
  under: 'at_least',
  at_least: 'under',
  at_most: 'over',
};

/** Behind a negation in its clause, a limit is the opposite one: “no invoice exceeds 5,000”. */
function turned(fact: Fact, text: string, { language }: CheckContext): Fact {
  if (fact.kind === 'identifier' || opposite[fact.bound] === undefined) return fact;
  const clause = text
    .slice(0, fact.start)
    .split(/[,;:.!?]\s/u)
    .at(-1)!;
  return negates(clause, languageOf(text, language)) ? { ...fact, bound: opposite[fact.bound]! } : fact;
}

const isState = (evidence: Evidence): boolean =>
  (evidence.kind !== 'passage' && typeof evidence.value === 'boolean') ||
  (evidence.kind === 'aggregate' && evidence.value === 0);

function isQuoted(words: string, cited: readonly Evidence[], { book, names }: CheckContext): boolean {
  if (standsIn(words, cited.flatMap(textsOf))) return true;
  const folded = fold(words);
  return cited.some((evidence) => [...book.documentsOf(evidence)].some((id) => names.hasText(id, folded)));
}

function problemWithSegment(
  text: string,
  segment: Segment,
  segments: readonly Segment[],
  { facts, names }: Stated,
  context: CheckContext,
): string | undefined {
  const { book } = context;
  const of = (ids: readonly string[]) => ids.map((id) => book.get(id)!);
  const own = of(segment.ids);
  const all = of(segments.flatMap(({ ids }) => ids));
  // Several citations at the end of a sentence can cover all of it.
  const last = segments.at(-1)!;
  const usable = segment !== last && last.ids.length > 1 ? [...own, ...of(last.ids)] : own;
  const currencies = currenciesIn(all, book);
  const around = facts.length === 0 ? all : usable;
  const strange = names.find((name) => !around.some((evidence) => isAbout(evidence, name, book)));
  if (strange !== undefined) return `What is cited is not of ${strange.text}.`;
  const held: (HeldFact & { kind: string; isPercent?: boolean })[] = [];
  for (const fact of facts) {
    if (fact.kind === 'identifier') {
      if (!isIdentified(fold(fact.text), around, context)) return `“${fact.text}” is not in what is cited.`;
      continue;
    }
    const found = holdersOf(fact, usable, currencies, book) ?? countOf(fact, [usable, all], text, book);
    if (found === undefined) return whyNot(fact, usable, currencies);
    held.push({ ...fact, ...found });
  }
  const part = text.slice(segment.from, segment.to);
  const misnamed = wronglyNamed(part, held);
  if (misnamed !== undefined) return `“${misnamed.text.trim()}” is told as another kind of value than it is.`;
  const mistimed = wronglyTimed(part, held);
  if (mistimed !== undefined) return `“${mistimed.text.trim()}” is for another period.`;
  const miscalled = wronglyCalled(held, (fact) => clauseAround(text, segment, fact));
  if (miscalled !== undefined)
    return `“${miscalled.text.trim()}” is the value of another field than the sentence says.`;
  const wrong = wronglyPaired(text, segment, { own: names, all: context.names.find(text) }, held, book);
  return wrong && `“${wrong.text.trim()}” is not of ${[...new Set(names.map((name) => name.text))].join(', ')}.`;
}

function isIdentified(folded: string, cited: readonly Evidence[], { book, names }: CheckContext): boolean {
  return cited.some(
    (evidence) =>
      textsOf(evidence).some((each) => fold(each).includes(folded)) ||
      [...book.documentsOf(evidence)].some((id) => names.hasText(id, folded)),
  );
}

/** The currencies of all that a sentence cites, also those that a cited value names. */
function currenciesIn(cited: readonly Evidence[], book: EvidenceBook): Set<string> {
  const named = cited.flatMap((evidence) => {
    if (evidence.kind !== 'cell' || typeof evidence.value !== 'string') return [];
    const codes = currenciesOfWord(evidence.value.trim());
    return codes?.length === 1 ? codes : [];
  });
  return new Set([...cited.flatMap((evidence) => [...book.currenciesOf(evidence)]), ...named]);
}

/** The cited ids that hold a number or date; undefined if none does. */
function holdersOf(
  fact: Exclude<Fact, { kind: 'identifier' }>,
  cited: readonly Evidence[],
  currencies: ReadonlySet<string>,
  book: EvidenceBook,
): Pick<HeldFact, 'holders'> | undefined {
  const values = cited.flatMap((evidence) => heldValues(evidence, book));
  const supports = (value: (typeof values)[number]) =>
    fact.kind === 'date' ? matchesDate(fact, value) : supportsNumber(fact, value, currencies);
  const holders = values.filter(supports).map(({ evidence }) => evidence);
  if (holders.length > 0) return { holders: [...new Set(holders)] };
  const isWithinLimit =
    fact.kind === 'date' ? satisfiesDateLimit(fact, values) : satisfiesLimit(fact, values, currencies);
  return isWithinLimit ? { holders: cited } : undefined;
}

/** The documents that a number counts: those of its own citations, or of the whole sentence, as in “four invoices: …”. */
function countOf(
  fact: Exclude<Fact, { kind: 'identifier' }>,
  sets: readonly (readonly Evidence[])[],
  text: string,
  book: EvidenceBook,
): Pick<HeldFact, 'holders' | 'counted'> | undefined {
  if (fact.kind !== 'number') return undefined;
  const counted = sets.map((cited) => countedBy(fact, cited, text, book)).find((found) => found !== undefined);
  return counted && { holders: [], counted };
}

const lacking = /\b(?:lack|miss|without|no value|fehl|ohne|keine|sans|manqu|sin\b|falta|carec)/iu;
const risky = /\b(?:risk|uncertain|risiko|unsicher|risque|riesgo)/iu;

/** “Three contracts lack a fee”, “three contracts state no fee”. */
function saysThatItLacks(text: string, path: string): boolean {
  if (lacking.test(text)) return true;
  const folded = fold(text);
  const fields = fold(path).split(/[^\p{L}]+/u);
  return negates(text, undefined) && fields.some((word) => word.length > 2 && folded.includes(word));
}

/** The cited documents, if the number is theirs. */
function countedBy(
  { readings, currencies, unit, isPercent, bound }: NumberFact,
  cited: readonly Evidence[],
  text: string,
  book: EvidenceBook,
): Set<string> | undefined {
  if (currencies !== undefined || unit !== undefined || isPercent) return undefined;
  const isValue = (count: number | undefined) =>
    count !== undefined &&
    readings.some(({ value }) => value === count || (bound === 'about' && Math.abs(value - count) <= 0.02 * count));
  const aggregates = cited.filter(({ kind }) => kind === 'aggregate');
  const sets = [
    cited,
    cited.filter(({ kind }) => kind === 'cell' || kind === 'passage'),
    ...aggregates.map((each) => [each]),
  ];
  for (const set of sets) {
    const documents = new Set(set.flatMap((evidence) => [...book.documentsOf(evidence)]));
    if (isValue(documents.size)) return documents;
  }
  const isLacking = cited.find(
    (each) =>
      each.kind === 'aggregate' &&
      ((saysThatItLacks(text, each.path) && isValue(each.without_value)) ||
        (risky.test(text) && isValue(each.at_risk))),
  );
  return isLacking && book.documentsOf(isLacking);
}

function whyNot(fact: Fact, cited: readonly Evidence[], currencies: ReadonlySet<string>): string {
  const stated = `“${fact.text.trim()}”`;
  if (cited.length === 0) return `${stated} has no citation.`;
  if (fact.kind === 'number' && currencies.size > 1) {
    return `${stated} is not what is cited. Amounts in ${[...currencies].join(' and ')} are not added up.`;
  }
  return `${stated} is not in what is cited.`;
}

/**
 * What a sentence without passages says of a yes, a no, a text or a count of zero, against what is cited. Answers what
 * does not fit.
 */
function problemWithStates(
  sentence: string,
  numberCount: number,
  cited: readonly Evidence[],
  language: TextLanguage | undefined,
): string | undefined {
  const values = cited.flatMap((evidence) => (evidence.kind === 'passage' ? [] : leavesOf(evidence.value)));
  const states = new Set(values.filter((value) => typeof value === 'boolean'));
  const [state] = states;
  if (states.size === 1 && negates(sentence, language) === state) {
    return `The cited value is ${state ? 'yes' : 'no'}, and the sentence says the opposite.`;
  }
  const counts = cited.flatMap((each) =>
    each.kind === 'aggregate' && (each.op === 'count' || each.op === 'distinct') ? [each.value] : [],
  );
  if (numberCount === 0 && counts.length === cited.length && counts.length > 0) {
    const isNone = counts.every((value) => value === 0);
    if (isNone !== negates(sentence, language)) return `The cited count is ${isNone ? '0' : 'not 0'}.`;
  }
  const texts = values.filter((value) => typeof value === 'string' && /\s\S+\s/u.test(value));
  return texts.length === 0 ? undefined : problemWithPassages(sentence, texts as string[], language, true);
}
