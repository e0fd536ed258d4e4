import type { ProposedDocument } from '@docwright/contract';

export type ProposedValue = NonNullable<ProposedDocument['values']>[string];

const minDocuments = 4;
const minShare = 0.75;

/**
 * The value that most documents of a kind have in a field, such as the IBAN of their issuer; undefined for a field that
 * differs from document to document.
 *
 * @example usualValue(['A', 'A', 'A', 'B']) // 'A'
 */
export function usualValue(values: readonly ProposedValue[]): ProposedValue | undefined {
  if (values.length < minDocuments) return undefined;
  const counts = new Map<ProposedValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [usual, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  return count >= values.length * minShare ? usual : undefined;
}
