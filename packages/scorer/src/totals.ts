/**
 * Counts of leaves, before and after a change. `values` are those of the truth; accuracies are null where nothing was
 * compared. Names are spelled as the API spells them.
 */
export interface Totals {
  values: number;
  correct_before: number;
  correct_after: number;
  accuracy_before: number | null;
  accuracy_after: number | null;
  /** Wrong before, right after. */
  fixed: number;
  /** Right before, wrong after. */
  broken: number;
  /** Wrong before and after, and not the same. */
  changed: number;
  spurious_before: number;
  spurious_after: number;
  /** Leaves of fields that the truth's schema does not have. */
  unknown: number;
  /** Leaves of fields that the candidate's schema no longer has. */
  removed: number;
}

export interface FieldTotals extends Totals {
  /** `line_items[].amount`; a list of scalars is `tags[]`. */
  field: string;
}

/**
 * The share of leaves that are right: `correct / (values + spurious)`, from 0 to 1.
 *
 * @returns null where there is nothing to be right about
 * @example
 * ```ts
 * import { accuracy } from '@docwright/scorer';
 *
 * accuracy({ values: 10, correct: 9, spurious: 2 }); // 0.75
 * accuracy({ values: 0, correct: 0, spurious: 0 }); // null
 * ```
 */
export const accuracy = ({ values, correct, spurious }: { values: number; correct: number; spurious: number }) =>
  values + spurious === 0 ? null : correct / (values + spurious);

const counted = [
  'values',
  'correct_before',
  'correct_after',
  'fixed',
  'broken',
  'changed',
  'spurious_before',
  'spurious_after',
  'unknown',
  'removed',
] as const;
export type Counts = Record<(typeof counted)[number], number>;

export const noCounts = (): Counts => ({
  values: 0,
  correct_before: 0,
  correct_after: 0,
  fixed: 0,
  broken: 0,
  changed: 0,
  spurious_before: 0,
  spurious_after: 0,
  unknown: 0,
  removed: 0,
});

/**
 * Adds up what was counted in several documents, or in several fields.
 *
 * @example
 * ```ts
 * import { compareResults, sumTotals } from '@docwright/scorer';
 *
 * const first = compareResults({ truth: { total: 1 }, before: { total: 1 }, after: { total: 1 } });
 * const second = compareResults({ truth: { total: 2 }, before: { total: 2 }, after: { total: 9 } });
 * sumTotals([first.totals, second.totals]).accuracy_after; // 0.5
 * ```
 */
export function sumTotals(parts: Iterable<Counts>): Totals {
  const sum = noCounts();
  for (const part of parts) for (const name of counted) sum[name] += part[name];
  return withAccuracies(sum);
}

const withAccuracies = (counts: Counts): Totals => ({
  ...counts,
  accuracy_before: accuracy({
    values: counts.values,
    correct: counts.correct_before,
    spurious: counts.spurious_before,
  }),
  accuracy_after: accuracy({ values: counts.values, correct: counts.correct_after, spurious: counts.spurious_after }),
});

/** Adds up the fields of several documents: each field once, in the order in which they come. */
export function sumFields(documents: Iterable<readonly (Counts & { field: string })[]>): FieldTotals[] {
  const byField = new Map<string, Counts[]>();
  for (const fields of documents) {
    for (const field of fields) {
      const parts = byField.get(field.field) ?? [];
      parts.push(field);
      byField.set(field.field, parts);
    }
  }
  return [...byField].map(([field, parts]) => ({ field, ...sumTotals(parts) }));
}
