import type { Evaluation, EvaluationDifference } from '@docwright/contract';

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
/** A share from 0 to 1 as every page of measurements writes it. */
export const shareOf = (share: number | null): string => (share === null ? '–' : percent.format(share));

/** "12 documents: 5 fixed, 0 broken, 96.1% → 98.4%", with what kept it from being whole. */
export function effectLabel({ state, documents, totals, error }: Evaluation): string {
  const { total, done } = documents;
  const { fixed, broken, accuracy_before, accuracy_after } = totals;
  const how = state === 'failed' ? (error?.message ?? 'Measuring failed.') : 'Stopped.';
  const reason = state === 'completed' ? '' : ` ${how}`;
  if (done === 0) return `Not measured.${reason}`;
  const measured =
    done === total ? `${done} ${done === 1 ? 'document' : 'documents'}` : `${done} of ${total} documents`;
  return `${measured}: ${fixed} fixed, ${broken} broken, ${shareOf(accuracy_before)} → ${shareOf(accuracy_after)}${reason === '' ? '' : `.${reason}`}`;
}

/** The colour follows what breaks, never what is gained. */
export function evidenceTone({ state, totals, documents }: Evaluation): 'good' | 'bad' | 'warn' {
  if (totals.broken > 0) return 'bad';
  return state === 'completed' && documents.failed === 0 && documents.done > 0 ? 'good' : 'warn';
}

/** One side of a difference: what is not there is told from what is empty. */
export function differenceValue(difference: EvaluationDifference, side: 'truth' | 'before' | 'after'): string {
  if (difference.absent.includes(side)) return side === 'truth' ? 'no row' : '–';
  const value = difference[side];
  if (value === null || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
