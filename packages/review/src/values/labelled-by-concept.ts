import {
  amountConcepts,
  dateConcepts,
  foldText,
  identifierConcepts,
  type Concept,
  type ValueKind,
} from '@docwright/language';
import { leafPathSteps } from './paths.ts';
import type { Steps } from '../steps/steps.ts';

/** Longer texts are searched as far as this. */
const maxText = 200_000;

interface SchemaPart {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * The paths of empty values whose label is on the page with something beside it: a document that prints “Total 12.50” or
 * “Gesamtbetrag 12,50” has a total. Fields of rows are left out, because their labels are headings of columns.
 *
 * @param text the text of the pages
 * @param schema the JSON schema of the result, for the titles and types of its fields beside their names
 */
export function* labelledSteps(result: unknown, text: string, schema?: SchemaPart): Steps<string[]> {
  const searched = text.slice(0, maxText);
  const empty = (yield* leafPathSteps(result)).filter(
    ({ value, field }) => (value === null || value === '') && !field.includes('[]'),
  );
  if (empty.length === 0) return [];
  const folded = foldText(searched);
  const labelled: string[] = [];
  for (const { path } of empty) {
    yield;
    const { title, type } = partAt(schema, path);
    const names = [path.split('.').at(-1) ?? '', typeof title === 'string' ? title : ''];
    const concept = conceptOf([path.replaceAll('.', ' '), ...names], [type].flat());
    const isLabelled = names.some((name) => hasLabel(searched, name)) || (concept && hasLabelOf(concept, folded));
    if (isLabelled) labelled.push(path);
  }
  return labelled;
}

function partAt(schema: SchemaPart | undefined, path: string): SchemaPart {
  const inside = (part: SchemaPart | undefined, name: string) => part?.properties?.[name] as SchemaPart | undefined;
  return path.split('.').reduce(inside, schema) ?? {};
}

/** The words of a field's name. */
const wordsOf = (name: string): string[] =>
  name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a line has the label with a colon and a text after it, or with a text that has a digit. */
function hasLabel(text: string, name: string): boolean {
  const words = wordsOf(name);
  if (words.join('').length < 3) return false;
  const label = words.map((word) => RegExp.escape(word)).join(String.raw`[ \t_.-]{1,3}`);
  const beside = String.raw`(?:[ \t]*:[ \t]*[^\s:]|[ \t]{1,120}(?:[^\s\d]{1,12}[ \t]{1,10}){0,2}[^\s\d]{0,4}\d)`;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${label}${beside}`, 'iu').test(text);
}

const concepts: readonly Concept[] = [...dateConcepts, ...amountConcepts, ...identifierConcepts];

/** What a field means, by its names: a number is an amount, and a text is a date, an identifier or an amount. */
function conceptOf(names: readonly string[], types: readonly unknown[]): Concept | undefined {
  const isNumber = types.includes('number') || types.includes('integer');
  const fits = ({ kind }: Concept) => !isNumber || kind === 'amount' || kind === 'percent';
  for (const name of names) {
    const words = foldText(wordsOf(name).join(' '));
    const found = words === '' ? undefined : concepts.find((each) => fits(each) && each.field.test(words));
    if (found) return found;
  }
  return undefined;
}

/** How a value of each kind begins, beside its label. */
const valueOf: Readonly<Record<ValueKind, RegExp | undefined>> = {
  amount: /^(?:\p{Sc}|[\p{L}]{1,4}\.?)? ?-?\d[\d.,'’ ]{0,14}[.,]\d{2}(?!\d)/u,
  date: /^(?:\d{1,2}[./-] ?(?:\d{1,2}|\p{L}{3,10})[./-]? ?\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|(?:\p{L}{3,10}\.? )?\d{1,2}\.?(?:st|nd|rd|th)?,? (?:\p{L}{3,10}\.?,? )?\d{4})/u,
  identifier: /^#? ?[\p{L}\d]{0,12}[-/. ]?\d[\p{L}\d\-/.]*/u,
  percent: undefined,
  text: undefined,
};

/** Words between a label and its value that do not change its meaning: “(incl. VAT)”, “19%”, “EUR”. */
const between =
  /^[\s:.#*]*(?:\([^()]{1,30}\)[\s:]*)?(?:\d{1,2}(?:[.,]\d{1,2})? ?%[\s:]*)?(?:(?:eur|usd|gbp|chf|rm|euro)[\s:]+)?/u;

/** Before a label that begins a cell there are at most so many signs, such as of a list. */
const maxBefore = 40;

/** Lines are cells of tables too: a label begins a line, or follows two spaces or a tab. */
function startsCell(text: string, index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - maxBefore); at -= 1) {
    const sign = text[at] ?? '';
    if (sign === '\n' || sign === '\t' || (sign === ' ' && text[at - 1] === ' ')) return true;
    if (/[\p{L}\d]/u.test(sign)) return false;
  }
  return true;
}

/** So many characters beside a label are searched for its value. */
const maxGap = 240;

/** Whether a label with this meaning starts a cell, and has a value of its kind beside it. A weak label needs a colon. */
function hasLabelOf(concept: Concept, text: string): boolean {
  const value = valueOf[concept.kind];
  if (value === undefined) return false;
  const isBeside = ({ index, 0: label }: RegExpExecArray, isWeak: boolean): boolean => {
    if (label.includes('\n') || !startsCell(text, index)) return false;
    const end = index + label.length;
    const rest = text.slice(end, end + maxGap).split('\n', 1)[0] ?? '';
    if (isWeak && !/^ ?:/u.test(rest)) return false;
    const before =
      text
        .slice(Math.max(0, index - 24), index)
        .split('\n')
        .at(-1) ?? '';
    if (concept.not?.test(`${before}${label}${rest.slice(0, 16)}`)) return false;
    return value.test(rest.slice(between.exec(rest)?.[0].length ?? 0));
  };
  const { labels, weakLabels } = concept;
  return (
    text.matchAll(labels).some((match) => isBeside(match, false)) ||
    (weakLabels !== undefined && text.matchAll(weakLabels).some((match) => isBeside(match, true)))
  );
}
