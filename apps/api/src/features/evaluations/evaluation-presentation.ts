import type { Evaluation } from '@docwright/contract';
import { sumFields, sumTotals } from '@docwright/scorer';
import type { MeasuredDocument, StoredEvaluation } from './records/evaluation-repository.ts';

const maxFailures = 100;

/** Maps an evaluation to the API, with the figures of the documents that are done. */
export function presentEvaluation(stored: StoredEvaluation, documents: readonly MeasuredDocument[]): Evaluation {
  const done = documents.filter(({ state }) => state === 'done');
  const failed = documents.filter(({ state }) => state === 'failed');
  const { total, baselines_to_run } = stored;
  return {
    id: stored.id,
    state: stored.state,
    prompt_id: stored.prompt_id,
    candidate: stored.candidate,
    baseline: {
      prompt_revid: stored.prompt_revid,
      source: baselines_to_run === 0 ? 'stored' : baselines_to_run === total ? 'run' : 'mixed',
    },
    documents: { total, done: done.length, failed: failed.length },
    totals: sumTotals(done.flatMap(({ counts }) => counts ?? [])),
    fields: sumFields(done.map(({ fields }) => fields)),
    failures: failed
      .slice(0, maxFailures)
      .flatMap(({ document_id, error }) => (error === null ? [] : { document_id, ...error })),
    spu_used: documents.reduce((sum, { spu }) => sum + spu, 0),
    spu_estimated: stored.spu_estimated,
    seal: stored.seal,
    ...(stored.turn_id !== null &&
      stored.call_id !== null && { call: { turn_id: stored.turn_id, call_id: stored.call_id } }),
    requested_by: stored.requested_by,
    created_at: stored.created_at.toISOString(),
    started_at: stored.started_at?.toISOString() ?? null,
    ended_at: stored.ended_at?.toISOString() ?? null,
    ...(stored.error && { error: stored.error }),
  };
}
