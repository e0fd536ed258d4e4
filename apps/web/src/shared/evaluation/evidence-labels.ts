import type { Evaluation, EvaluationDifference } from '@docwright/contract';
import { counted } from '../formats/counted.ts';

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
/** Formats a share from 0 to 1 as a percentage. */
export const shareOf = (share: number | null): string => (share === null ? '–' : percent.format(share));

/** "12 documents: 5 fixed, 0 broken, 96.1% → 98.4%", with the reason if the evaluation is incomplete. */
export function effectLabel({ state, documents, totals, error }: Evaluation): string {
  const { total, done } = documents;
  const { fixed, broken, accuracy_before, accuracy_after } = totals;
  const ending = state === 'failed' ? (error?.message ?? 'Measuring failed.') : 'Stopped.';
  const reason = state === 'completed' ? '' : ` ${ending}`;
  if (done === 0) return `Not measured.${reason}`;
  const measured = done === total ? counted(done, 'document') : `${done} of ${total} documents`;
  return `${measured}: ${fixed} fixed, ${broken} broken, ${shareOf(accuracy_before)} → ${shareOf(accuracy_after)}${reason === '' ? '' : `.${reason}`}`;
}

/** The tone follows broken values, not accuracy. */
export function evidenceTone({ state, totals, documents }: Evaluation): 'good' | 'bad' | 'warn' {
  if (totals.broken > 0) return 'bad';
  return state === 'completed' && documents.failed === 0 && documents.done > 0 ? 'good' : 'warn';
}

/** One side of a difference as text; a missing value differs from an empty one. */
export function differenceValue(difference: EvaluationDifference, side: 'truth' | 'before' | 'after'): string {
  // What was verified has no row, or, of a field that was added since, nothing.
  if (difference.absent.includes(side)) return side === 'truth' && difference.kind !== 'unknown' ? 'no row' : '–';
  const value = difference[side];
  if (value === null || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The kind of a difference in a word. What a field holds that was added since the verification is neither right nor wrong. */
export function differenceKindLabel({ kind }: Pick<EvaluationDifference, 'kind'>): string {
  return kind === 'unknown' ? 'new field' : kind;
}
