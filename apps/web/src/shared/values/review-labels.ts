import type { FailedCheck, ReviewReason } from '@docwright/contract';
import { labelOf } from './field-shape.ts';

/** Texts of the review reasons' chips. */
export const reasonLabels: Record<ReviewReason, string> = {
  not_found: 'not on the page',
  fuzzy_match: 'differs slightly from the page',
  ambiguous_place: 'found in several places',
  ocr_unsure: 'scan is unclear',
  schema_error: 'not valid',
  check_failed: 'check failed',
  row_missing: 'row missing',
  row_duplicate: 'row twice',
  text_cut: 'text is cut off',
  differs_from_second_read: 'differs from second read',
  conflicting_values: 'pages disagree',
  unusual: 'unusual for this field',
  model_unsure: 'model is unsure',
  expected_but_missing: 'expected, but missing',
  near_unread: 'near an unread part',
  differs_from_embedded: 'differs from the data for machines',
  other_label: 'beside the label of another field',
  agrees_with_embedded: 'agrees with the data for machines',
};

/** `line_items.2.amount` → "Line items 3 · Amount". */
export function pathLabel(path: string): string {
  return path
    .split('.')
    .reduce<string[]>((words, part) => {
      if (!/^\d+$/u.test(part)) return [...words, labelOf(part)];
      return [...words.slice(0, -1), `${words.at(-1) ?? ''} ${Number(part) + 1}`.trim()];
    }, [])
    .join(' · ');
}

/** `line_items[].amount`, the field of all rows → "Line items · Amount". */
export const fieldLabel = (field: string): string => pathLabel(field.replaceAll('[]', ''));

/** Whether a check's field covers a value's path: `line_items[].amount` covers `line_items.2.amount`. */
export function isFieldNamed(path: string, named: string): boolean {
  const field = path.replaceAll(/\.\d+(?=\.|$)/gu, '[]');
  return field === named || field.startsWith(`${named}.`) || field.startsWith(`${named}[]`);
}

/** The messages of the failed checks whose fields cover a value. */
export function checkMessages(path: string, failed: readonly FailedCheck[] = []): string[] {
  return failed.filter(({ fields }) => fields.some((named) => isFieldNamed(path, named))).map(({ message }) => message);
}

/** Formats the probability that a value is wrong. It is never said to be impossible. */
export const riskLabel = (risk: number) => (risk < 0.01 ? `under ${percent(0.01)}` : percent(risk));

const percent = (share: number) =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }).format(share);
