import { describeField, type DescribedField } from '../labels/described-field.ts';
import { wordsIn } from '../labels/field-words.ts';
import { hasTopicsOf, isLabelOf, otherMeanings } from '../labels/label.ts';
import type { PageLabels } from '../labels/page-labels.ts';
import { keyOf } from '../labels/typed-values.ts';
import { isWholeLabel } from './expected-values.ts';
import { leafPathSteps } from './paths.ts';
import type { Steps } from '../steps/steps.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * What the labels of the pages say about amounts, dates and numbers, by path: `own` if the value is beside a label of
 * its field anywhere; `other` if it is only beside labels of other fields, or if the label of its field has another
 * value beside it, or if a text is a label itself. Absent if the labels say nothing. Fields of rows are left out.
 *
 * @param page the text of the pages, with the columns of its lines
 * @param schema the JSON schema of the result, for the types of its fields
 * @example
 * ```ts
 * import { labelSteps, finish, PageLabels } from '@docwright/review';
 *
 * const page = new PageLabels('Netto  16,90\nUSt.  1,18\nBrutto  18,08');
 * finish(labelSteps({ total: 16.9, tax: 1.18 }, page)); // { total: 'other', tax: 'own' }
 * ```
 */
export function* labelSteps(
  result: unknown,
  page: PageLabels,
  schema?: Schema,
): Steps<Record<string, 'own' | 'other'>> {
  const found: Record<string, 'own' | 'other'> = {};
  for (const { path, value, field: name } of yield* leafPathSteps(result)) {
    if (value === null || value === '' || typeof value === 'boolean' || name.includes('[]')) continue;
    yield;
    const property = schema?.properties?.[path] as { type?: unknown; format?: unknown } | undefined;
    const type = property?.type ?? typeof value;
    const field = describeField(path.split('.').at(-1) ?? '', { type, format: property?.format });
    const label = labelOf(String(value), field, page);
    if (label) found[path] = label;
  }
  return found;
}

function labelOf(value: string, field: DescribedField, page: PageLabels): 'own' | 'other' | undefined {
  const { form } = field;
  if (form === 'text') return isLabelItself(value, field, page) ? 'other' : undefined;
  if ((form !== 'amount' && form !== 'date' && form !== 'identifier') || field.meanings.size === 0) return undefined;
  const values = page.values(form);
  const key = keyOf(value, form);
  const same = values.filter((each) => each.key === key);
  if (same.length === 0) return undefined;
  if (same.some(({ label }) => label && isLabelOf(label, field))) return 'own';
  const isOther = same.every(
    ({ label }) => label && !hasTopicsOf(label, field) && otherMeanings(label, field).length > 0,
  );
  if (isOther) return 'other';
  // A label can be that of several values of its line.
  const lines = new Set(same.map(({ cell }) => cell.line));
  const isElsewhere = values.some(({ label, cell }) => label && !lines.has(cell.line) && isLabelOf(label, field));
  return isElsewhere ? 'other' : undefined;
}

/** Whether a text is the label of its own field, or stands on the pages only as a label with a colon. */
function isLabelItself(value: string, field: DescribedField, page: PageLabels): boolean {
  const key = keyOf(value, 'text');
  const [first] = wordsIn(value);
  const cells = page.candidates({ ...field, words: first === undefined ? [] : [first] });
  const same = first === undefined ? [] : cells.filter(({ text }) => keyOf(text, 'text') === key);
  if (same.length === 0 || /\d/u.test(value)) return false;
  return same.every((cell) => cell.hasColon || isWholeLabel(page.label(cell), field));
}
