import { describeField, type DescribedField } from '../labels/described-field.ts';
import type { Meaning } from '../labels/field-words.ts';
import { isLabelOf, type Label } from '../labels/label.ts';
import { cellBelow, type LinePart } from '../labels/page-cells.ts';
import type { PageLabels } from '../labels/page-labels.ts';
import { keyOf, valuesIn, type Form } from '../labels/typed-values.ts';
import { labelledSteps } from './labelled-by-concept.ts';
import { leafPathSteps } from './paths.ts';
import type { Steps } from '../steps/steps.ts';

/** How much speaks for a value: its label with something beside it; a value of its form; what such papers have in any case. */
const [labelled, unclaimed, usual] = [1, 0.6, 0.25];

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * The empty values that the pages seem to have, by path, with how much speaks for each, 0 to 1: a label in the words of the field or
 * in others with the same meaning, with a value of the field's form beside or below it (1); a date, an amount or an account that no
 * other field has (.6); what a paper has in any case, such as its issuer or its number (.25). Fields of rows are left out, because their labels are
 * headings of columns.
 *
 * @param page the text of the pages, with the columns of its lines
 * @param schema the JSON schema of the result, for the titles and types of its fields beside their names
 * @example
 * ```ts
 * import { expectedSteps, finish, PageLabels } from '@docwright/review';
 *
 * finish(expectedSteps({ total: null, due_date: null }, new PageLabels('Zu zahlen bis 4.7.2018'))); // { due_date: 1 }
 * ```
 */
export function* expectedSteps(result: unknown, page: PageLabels, schema?: Schema): Steps<Record<string, number>> {
  const leaves = (yield* leafPathSteps(result)).filter(({ field }) => !field.includes('[]'));
  const isEmpty = ({ value }: { value: unknown }): boolean => value === null || value === '';
  const isClaimed = claims(leaves.filter((leaf) => !isEmpty(leaf)).map(({ value }) => value));
  const fields = leaves
    .slice(0, maxFields)
    .map(({ path }) => describeField(path.split('.').at(-1) ?? '', schema?.properties?.[path] ?? {}));
  const search: Search = { page, isClaimed, fields };
  const bySums = emptySum(leaves, fields);
  const byConcept = new Set(yield* labelledSteps(result, page.text, schema));
  const found: Record<string, number> = {};
  for (const { path } of leaves.filter(isEmpty)) {
    yield;
    const property = schema?.properties?.[path] as { title?: unknown; type?: unknown; format?: unknown } | undefined;
    const names = [path.split('.').at(-1) ?? '', typeof property?.title === 'string' ? property.title : ''];
    const strengths = names
      .filter((name) => name !== '')
      .map((name) => describeField(name, property))
      .map((field) => (hasLabel(field, search) ? labelled : withoutLabel(field, search)));
    const strength = Math.max(byConcept.has(path) ? labelled : bySums === path ? unclaimed : 0, ...strengths);
    if (strength > 0) found[path] = strength;
  }
  return found;
}

/** The path of the only empty one of net, tax and gross, if the other two say that it is not zero. */
function emptySum(
  leaves: readonly { path: string; value: unknown }[],
  fields: readonly DescribedField[],
): string | undefined {
  const valueOf = (meaning: Meaning): { path: string; value: unknown } | undefined =>
    leaves[fields.findIndex((field) => field.form === 'amount' && mainMeaning(field) === meaning)];
  const sums = [valueOf('net'), valueOf('tax'), valueOf('total')];
  if (sums.some((sum) => sum === undefined)) return undefined;
  const filled = sums.filter((sum) => typeof sum!.value === 'number');
  const empty = sums.find((sum) => sum!.value === null);
  return filled.length === 2 && filled[0]!.value !== filled[1]!.value ? empty?.path : undefined;
}

/** A sum without tax is net, and one of taxes is tax. */
function mainMeaning({ meanings }: DescribedField): Meaning | undefined {
  return (['net', 'tax', 'total'] as const).find((meaning) => meanings.has(meaning));
}

/** Labels of more fields are not distinguished. */
const maxFields = 100;

type IsClaimed = (value: string, form: Form) => boolean;

/** Whether a field has a value already. */
function claims(filled: readonly unknown[]): IsClaimed {
  const texts = filled.map(String);
  const keys = new Map<Form, ReadonlySet<string>>();
  return (value, form) => {
    let known = keys.get(form);
    if (!known) keys.set(form, (known = new Set(texts.map((text) => keyOf(text, form)))));
    return known.has(keyOf(value, form));
  };
}

interface Search {
  page: PageLabels;
  isClaimed: IsClaimed;
  /** The fields of the result, whose labels are no values. */
  fields: readonly DescribedField[];
}

function hasLabel(field: DescribedField, { page, isClaimed, fields }: Search): boolean {
  const { form } = field;
  if (field.meanings.size + field.words.length === 0) return false;
  const isFree = ({ text }: LinePart): boolean => valuesIn(text, form).some((value) => !isClaimed(value, form));
  if (form !== 'text') {
    const isBeside = page
      .values(form)
      .some(({ before, text }) => before && isLabelOf(before, field) && !isClaimed(text, form));
    if (isBeside) return true;
  }
  const isLabel = (cell: LinePart, one: DescribedField): boolean => isWholeLabel(page.label(cell), one);
  const isValue = (cell: LinePart | undefined): boolean =>
    cell !== undefined &&
    isFree(cell) &&
    (form !== 'text' || !fields.some((one) => one.form === 'text' && isLabel(cell, one)));
  return page.candidates(field).some((cell) => {
    if (!isLabel(cell, field) || (form !== 'text' && isFree(cell))) return false;
    const cells = page.lines[cell.line]!;
    return isValue(cells[cells.indexOf(cell) + 1]) || isValue(cellBelow(cell, page.lines));
  });
}

/** A label of a text has no more than its own words and one or two that say nothing. */
const maxMoreWords = 2;

export function isWholeLabel(label: Label, field: DescribedField): boolean {
  if (!isLabelOf(label, field)) return false;
  if (field.form !== 'text') return true;
  const isOther = (['number', 'date', 'amount'] as const).some((kind) => label.meanings.has(kind));
  const moreWords = field.isIdle ? 0 : maxMoreWords;
  return !isOther && label.words.length <= field.topics.length + field.words.length + moreWords;
}

const ownPaper: ReadonlySet<Meaning> = new Set([
  'invoice',
  'receipt',
  'document',
  'date',
  'amount',
  'total',
  'issuer',
  'name',
]);

function isTax(meanings: ReadonlySet<Meaning>): boolean {
  return meanings.has('tax') && [...meanings].every((meaning) => /^(?:tax|amount|total)$/u.test(meaning));
}

/** A paper has a number, often without a label. */
function isPaperNumber(meanings: ReadonlySet<Meaning>): boolean {
  return [...meanings].every((meaning) => /^(?:number|invoice|receipt|document)$/u.test(meaning));
}

function isOwnAddress(meanings: ReadonlySet<Meaning>): boolean {
  return [...meanings].every((meaning) => meaning === 'address' || meaning === 'issuer');
}

/** A letter's window has no label: who it is for has the second address of a paper. */
function isRecipient(meanings: ReadonlySet<Meaning>): boolean {
  return meanings.has('buyer') && [...meanings].every((meaning) => /^(?:buyer|customer|name)$/u.test(meaning));
}

/** An invoice says who has to pay; a receipt does not. */
function isInvoice(page: PageLabels): boolean {
  return page.hasMeaning('invoice') && !page.hasMeaning('cash') && !page.hasMeaning('change');
}

function addressLines(page: PageLabels): number {
  const coded = page.values('address').filter(({ cell }) => /(?<![\d.,-])\d{4,5}(?![\d.,-])/u.test(cell.text));
  return new Set(coded.map(({ cell }) => cell.line)).size;
}

/** How much speaks for a value that has no label. */
function withoutLabel({ form, meanings, words }: DescribedField, { page, isClaimed }: Search): number {
  if (words.length > 0) return 0;
  const hasFree = (): boolean => page.values(form).some(({ text }) => form === 'amount' || !isClaimed(text, form));
  if (form === 'iban' || form === 'mail' || form === 'currency') return hasFree() ? unclaimed : 0;
  const isOfPaper = meanings.size > 0 && [...meanings].every((meaning) => ownPaper.has(meaning));
  if (form === 'date') return isOfPaper && hasFree() ? unclaimed : 0;
  if (form === 'amount') {
    if (isOfPaper && meanings.has('total')) return hasFree() ? unclaimed : 0;
    return isTax(meanings) && page.hasMeaning('tax') && hasFree() ? usual : 0;
  }
  if (form === 'identifier') return isPaperNumber(meanings) && hasFree() ? usual : 0;
  if (form === 'address') return isOwnAddress(meanings) && hasFree() ? usual : 0;
  if (form !== 'text') return 0;
  if (meanings.has('issuer')) return isOfPaper && page.lines.length > 2 ? usual : 0;
  return isRecipient(meanings) && (addressLines(page) > 1 || isInvoice(page)) ? usual : 0;
}
