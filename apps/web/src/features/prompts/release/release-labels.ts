import type { PausedBecause, ReleaseStatus } from '@docwright/contract';
import { counted } from '../../../shared/formats/counted.ts';

/** A share from 0 to 1 with three digits at most: 71 %, 0.4 %. */
export function percentOf(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 3 }).format(share);
}

/** The state of a policy in one sentence. */
export function statusSentence(status: ReleaseStatus): string {
  const { state, released_share, bound, confidence, audited, needed } = status;
  const evidence = `from ${audited.documents.toLocaleString()} audited, ${audited.wrong} wrong`;
  if (state !== 'active') {
    const needs = `${counted(needed.documents, 'more document')} without an error ${needed.documents === 1 ? 'is' : 'are'} needed`;
    return `${state === 'paused' ? 'Paused' : 'Collecting'}: nothing is released without a look. ${needs}, ${evidence}.`;
  }
  return `${percentOf(released_share)} of documents are released without a look; at most ${percentOf(bound)} of them hold a wrong value, at ${percentOf(confidence)} confidence, ${evidence}.`;
}

const reasons: Record<PausedBecause, string> = {
  bound_broken: 'Paused: the last audits found too many errors.',
  new_revision: 'Paused: the prompt or its schema changed, so the evidence starts again.',
  other_model: 'Paused: another model answers, so the evidence starts again.',
  drift: 'Paused: the documents have changed, so the evidence starts again.',
};

export const pausedLabel = (because: PausedBecause): string => reasons[because];
