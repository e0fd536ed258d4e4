import {
  differenceKind,
  type DifferenceListQuery,
  type Evaluation,
  type EvaluationDifference,
} from '@docwright/contract';
import { sumFields, sumTotals } from '@docwright/scorer';
import type { StoredDifference } from './records/evaluated-document.ts';
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
    ...releaseShares(done),
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

/** The shares of the documents that the release policy would release; nothing without an active one. */
function releaseShares(done: readonly MeasuredDocument[]): Pick<Evaluation, 'release'> {
  const effects = done.flatMap(({ release }) => release ?? []);
  if (effects.length === 0) return {};
  const shareOf = (side: 'before' | 'after') => effects.filter((effect) => effect[side]).length / effects.length;
  return { release: { share_before: shareOf('before'), share_after: shareOf('after') } };
}

/** Reads one page of the differences, broken first. Reads only the documents of this page. */
export async function pageOfDifferences({
  documents,
  names,
  read,
  query: { kind, field, document_id, skip, limit },
}: {
  documents: readonly MeasuredDocument[];
  names: ReadonlyMap<string, string>;
  read: (documentId: string) => Promise<StoredDifference[]>;
  query: DifferenceListQuery;
}): Promise<{ differences: EvaluationDifference[]; total_count: number; skip: number; limit: number }> {
  const reads = new Map<string, Promise<StoredDifference[]>>();
  const differencesOf = (documentId: string) => {
    const reading = reads.get(documentId) ?? read(documentId);
    reads.set(documentId, reading);
    return reading;
  };
  const differences: EvaluationDifference[] = [];
  let passed = 0;
  for (const currentKind of differenceKind.options) {
    if (kind !== undefined && currentKind !== kind) continue;
    for (const document of documents) {
      if (document_id !== undefined && document.document_id !== document_id) continue;
      const count = countIn(document, currentKind, field);
      const from = Math.max(skip - passed, 0);
      const room = skip + limit - Math.max(passed, skip);
      if (count > from && room > 0) {
        const found = (await differencesOf(document.document_id)).filter(
          (difference) => difference.kind === currentKind && (field === undefined || difference.field === field),
        );
        differences.push(
          ...found.slice(from, from + room).map((difference) => presentDifference(difference, document, names)),
        );
      }
      passed += count;
    }
  }
  return { differences, total_count: passed, skip, limit };
}

function countIn({ differenceCounts }: MeasuredDocument, kind: string, field: string | undefined): number {
  const byField = differenceCounts[kind] ?? {};
  if (field !== undefined) return Object.hasOwn(byField, field) ? byField[field]! : 0;
  return Object.values(byField).reduce((sum, count) => sum + count, 0);
}

function presentDifference(
  { after_path: _moved, ...difference }: StoredDifference,
  { document_id, prompt_revid }: MeasuredDocument,
  names: ReadonlyMap<string, string>,
): EvaluationDifference {
  return { ...difference, document_id, prompt_revid, document_name: names.get(document_id) ?? '' };
}
