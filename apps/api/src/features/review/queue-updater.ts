import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { ReviewedValue } from '@docwright/review';
import type { PendingReview, ReviewedResults, ResultToReview, ReviewedResult } from './reviewed-result-repository.ts';
import {
  type ReviewReader,
  isSampled,
  reviewedValues,
  type ReviewRules,
  type RiskModelRepository,
} from '../value-risk/index.ts';
import type { ResultSweeps } from '../extractions/index.ts';
import { packOpen } from './review-queue-model.ts';
import type { ReviewQueueRepository } from './review-queue-repository.ts';

interface QueueUpdaterDependencies {
  results: ReviewedResults;
  /** Requests for new risks, after the rules of a prompt have changed. */
  rescorings: Pick<ResultSweeps, 'next' | 'advance'>;
  queueOf: (organizationId: string) => Pick<ReviewQueueRepository, 'put' | 'remove'>;
  readerOf: (organizationId: string) => ReviewReader;
  modelsOf: (organizationId: string) => Pick<RiskModelRepository, 'requestFit'>;
  /** Stores with a document what its results ask of users. */
  markDocument: (organizationId: string, documentId: string) => Promise<void>;
  /** Wakes the calibration job. */
  wakeCalibration: () => Promise<void>;
  log: { error(fields: object, message: string): void };
}

type SweptResult = NonNullable<Awaited<ReturnType<ResultSweeps['next']>>>['records'][number];

/** Updates the queue from results. Idempotent. */
export type QueueUpdater = ReturnType<typeof createQueueUpdater>;

const maxInRequest = 50;
const batchSize = 100;
/** Results with new risks at once: new results and decisions wait for so many. */
const rescoredSize = 10;

export function createQueueUpdater(dependencies: QueueUpdaterDependencies) {
  const { results, rescorings, queueOf, readerOf, modelsOf, markDocument, wakeCalibration, log } = dependencies;
  const aside = createSetAside({ log, failure: 'a result could not enter the review queue' });

  async function update(review: ResultToReview, rules?: ReviewRules): Promise<void> {
    const { organizationId, documentId, promptId, kind } = review;
    const queue = queueOf(organizationId);
    const newest = await results.newest(review);
    if (newest === undefined) {
      await queue.remove(documentId, promptId);
      await markDocument(organizationId, documentId);
      return;
    }
    await queue.put(await entryOf(newest, rules ?? (await readerOf(organizationId).rules(promptId))));
    await markDocument(organizationId, documentId);
    const isDecided = newest.extraction.is_verified || Object.keys(newest.facts.decisions).length > 0;
    if (kind === 'written' && isDecided) {
      await modelsOf(organizationId).requestFit(promptId);
      await wakeCalibration();
    }
    await results.markQueued(review, newest.extraction.prompt_revid, newest.changes);
  }

  async function updateAll(reviews: readonly PendingReview[], signal?: AbortSignal): Promise<void> {
    const rules = new Map<string, Promise<ReviewRules>>();
    for (const review of reviews) {
      if (signal?.aborted) return;
      const key = `${review.organizationId} ${review.promptId}`;
      await aside.work(review.resultId, async () => {
        const known = rules.get(key) ?? readerOf(review.organizationId).rules(review.promptId);
        rules.set(key, known);
        await update(review, await known);
      });
    }
  }

  return {
    update,
    /** Adds an organization's new results to the queue; a limited number, since a request waits for it. */
    async catchUp(organizationId: string): Promise<void> {
      await updateAll(await results.pending(maxInRequest, aside.ids(), organizationId));
    },
    /** Processes all pending results. */
    async work(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const reviews = await results.pending(batchSize, aside.ids());
        await updateAll(reviews, signal);
        if (reviews.length === batchSize) continue;
        const again = await rescorings.next(rescoredSize);
        if (again === undefined) return;
        await updateAll(again.records.map(rescoringOf), signal);
        if (!signal.aborted) await rescorings.advance(again);
      }
    },
  };
}

const rescoringOf = ({ _id, organization_id, document_id, prompt_id }: SweptResult): PendingReview => ({
  resultId: _id.toHexString(),
  organizationId: String(organization_id),
  documentId: String(document_id),
  promptId: prompt_id,
  kind: 'rescore',
});

async function entryOf({ extraction, facts, changes }: ReviewedResult, rules: ReviewRules) {
  const { document_id, prompt_id, prompt_revid } = extraction;
  const values = await reviewedValues(extraction, facts, rules);
  const sample = await sampledValues({ extraction, facts, changes }, rules);
  return {
    document_id,
    prompt_id,
    prompt_revid,
    changes,
    open: packOpen(values.filter(({ state }) => state === 'open')),
    values: values.length,
    decided: values.filter(isJudged).length,
    accepted: values.filter(({ state }) => state === 'accepted').length,
    sampled: sample.length,
    sampled_wrong: sample.filter(({ state }) => state === 'corrected').length,
  };
}

/** Whether a user who saw the value has decided about it. */
const isJudged = ({ state, isUnseen }: ReviewedValue): boolean =>
  (state === 'confirmed' || state === 'corrected') && !isUnseen;

/** Values of a document of the sample that the policy would have accepted, and that a user decided about. */
async function sampledValues({ extraction, facts }: ReviewedResult, { policy, ...rules }: ReviewRules) {
  if (policy === null || !isSampled(extraction.document_id, policy.sample)) return [];
  // The risk of the model's own answer counts: a corrected value has another risk.
  const answered = {
    ...extraction,
    result: extraction.original_result,
    is_verified: false,
  };
  const before = await reviewedValues(
    answered,
    { ...facts, signals: facts.original_signals ?? facts.signals, decisions: {} },
    { ...rules, policy: null },
  );
  const risky = new Set(
    before.filter(({ decidingRisk }) => decidingRisk >= policy.confirm_below).map(({ path }) => path),
  );
  const values = await reviewedValues(extraction, facts, { ...rules, policy: null });
  return values.filter((value) => isJudged(value) && !risky.has(value.path));
}
