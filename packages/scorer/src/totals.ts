/**
 * Counts of leaves, before and after a change. Names have the spelling of the API.
 *
 * @example
 * ```ts
 * import { compareResults } from '@docwright/scorer';
 *
 * const { totals } = await compareResults({ truth: { total: 84 }, before: { total: 48 }, after: { total: 84 } });
 * [totals.values, totals.fixed, totals.broken]; // [1, 1, 0]
 * ```
 */
export interface Totals {
  /** Leaves of the truth that were compared. */
  values: number;
  correct_before: number;
  correct_after: number;
  /** 0 to 1; null if nothing was compared. */
  accuracy_before: number | null;
  accuracy_after: number | null;
  /** Wrong before, correct after. */
  fixed: number;
  /** Correct before, wrong after. */
  broken: number;
  /** Wrong before and after, with different values. */
  changed: number;
  /** Leaves with a value where the truth has none, such as those of an extra row. */
  spurious_before: number;
  spurious_after: number;
  /** Leaves of fields that the truth's schema does not have. */
  unknown: number;
  /** Leaves of fields that the candidate's schema does not have. */
  removed: number;
}

/** The counts of one field. */
export interface FieldTotals extends Totals {
  /** `line_items[].amount`, or `tags[]` for a list of scalars. */
  field: string;
}

/**
 * The share of correct leaves: `correct / (values + spurious)`, 0 to 1.
 *
 * @returns null if nothing was compared
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

const countNames = [
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

/** Counts of leaves without the accuracies, which follow from them. */
export type Counts = Record<(typeof countNames)[number], number>;

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
 * Adds the counts of several documents or fields, and computes the accuracies of the sum.
 *
 * @example
 * ```ts
 * import { compareResults, sumTotals } from '@docwright/scorer';
 *
 * const first = await compareResults({ truth: { total: 1 }, before: { total: 1 }, after: { total: 1 } });
 * const second = await compareResults({ truth: { total: 2 }, before: { total: 2 }, after: { total: 9 } });
 * sumTotals([first.totals, second.totals]).accuracy_after; // 0.5
 * ```
 */
export function sumTotals(parts: Iterable<Counts>): Totals {
  const sum = noCounts();
  for (const part of parts) for (const name of countNames) sum[name] += part[name];
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

/**
 * Adds the counts of each field over several documents. Fields have the order of their first appearance.
 *
 * @example
 * ```ts
 * import { compareResults, sumFields } from '@docwright/scorer';
 *
 * const first = await compareResults({ truth: { total: 1 }, before: { total: 1 }, after: { total: 1 } });
 * const second = await compareResults({ truth: { total: 2 }, before: { total: 2 }, after: { total: 9 } });
 * sumFields([first.fields, second.fields]).map(({ field, values }) => `${field} ${values}`); // ['total 2']
 * ```
 */
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
