import type { Extraction } from '@docwright/contract';
import mongoose, { type Connection, type Types } from 'mongoose';
import { exceptIds, objectIdOf } from '../../platform/database/object-id.ts';
import { createDocumentIds, createUnlistedDocuments } from '../documents/index.ts';
import { extractionModel, type ExtractionRecord, factsOf, presentExtraction } from '../extractions/index.ts';
import { revisionModels } from '../revisions/index.ts';
import { reviewQueueModel } from './review-queue-model.ts';
import type { ReviewFacts } from '../value-risk/index.ts';

/** A result with its stored review data. */
export interface ReviewedResult {
  extraction: Extraction;
  facts: ReviewFacts;
  changes: number;
}

/** A document and prompt whose result was written or needs new risks. */
export interface ResultToReview {
  organizationId: string;
  documentId: string;
  promptId: string;
  kind: 'written' | 'rescore';
}

export interface PendingReview extends ResultToReview {
  /** The record that asks for it. */
  resultId: string;
}

/** Reads results for the queue and for calibration. */
export type ReviewedResults = ReturnType<typeof createReviewedResults>;

/** Texts of results that are in memory at once. */
const readAtOnce = 10;

export function createReviewedResults(connection: Connection) {
  const extractions = extractionModel(connection);
  const idsOf = createDocumentIds(connection);
  const queue = reviewQueueModel(connection);
  const { artifacts: prompts } = revisionModels(connection, 'prompt');
  const organizationOf = (id: string) => new mongoose.Types.ObjectId(id);

  return {
    /** Results that are not in the queue yet, of one organization or of all; new results before rescored ones. */
    async pending(limit: number, setAside: readonly string[], organizationId?: string): Promise<PendingReview[]> {
      const reviews: PendingReview[] = [];
      for (const kind of organizationId === undefined ? (['written', 'rescore'] as const) : (['written'] as const)) {
        const filter = {
          review_pending: kind,
          ...exceptIds(setAside),
          ...(organizationId !== undefined && { organization_id: organizationOf(organizationId) }),
        };
        const records = await extractions
          .find(filter, { organization_id: 1, document_id: 1, prompt_id: 1 })
          .limit(limit - reviews.length)
          .lean();
        reviews.push(
          ...records.map((record) => ({
            resultId: record._id.toHexString(),
            organizationId: String(record.organization_id),
            documentId: String(record.document_id),
            promptId: record.prompt_id,
            kind,
          })),
        );
        if (reviews.length >= limit) break;
      }
      return reviews;
    },
    /** The newest result of the prompt on the document. */
    async newest({
      organizationId,
      documentId,
      promptId,
    }: Omit<ResultToReview, 'kind'>): Promise<ReviewedResult | undefined> {
      const key = {
        organization_id: organizationOf(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
      };
      const record = await extractions
        .findOne({ ...key, prompt_id: promptId })
        .sort({ created_at: -1, _id: -1 })
        .lean();
      return record === null ? undefined : await resultOf(record);
    },
    /** Marks the prompt's results as queued, as of `changes`; later changes stay pending, and a write that was only rescored. */
    async markQueued(
      { organizationId, documentId, promptId, kind }: ResultToReview,
      revision: string,
      changes: number,
    ): Promise<void> {
      const key = {
        organization_id: organizationOf(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
        prompt_id: promptId,
        ...(kind === 'rescore' && { review_pending: 'rescore' }),
      };
      const prompt_revid = objectIdOf(revision);
      const asRead = { $or: [{ prompt_revid: { $ne: prompt_revid } }, { changes }] };
      await extractions.collection.updateMany({ ...key, ...asRead }, { $unset: { review_pending: 1 } });
    },
    /** Several, by document and revision, in any order. One after another, since each can take tens of megabytes of memory. */
    async *each(
      organizationId: string,
      keys: readonly { document_id: string; prompt_revid: string }[],
    ): AsyncGenerator<ReviewedResult> {
      for (let at = 0; at < keys.length; at += readAtOnce) {
        const some = keys.slice(at, at + readAtOnce);
        const ids = (of: (key: (typeof keys)[number]) => string): Types.ObjectId[] =>
          some.map((key) => new mongoose.Types.ObjectId(of(key)));
        const records = await extractions
          .find({
            organization_id: organizationOf(organizationId),
            document_id: { $in: ids(({ document_id }) => document_id) },
            prompt_revid: { $in: ids(({ prompt_revid }) => prompt_revid) },
          })
          .lean();
        for (const record of records) yield await resultOf(record);
      }
    },
    /** Results of a prompt that users decided about, newest documents first. */
    async *decided(organizationId: string, promptId: string, limit: number): AsyncGenerator<ReviewedResult> {
      const organization_id = organizationOf(organizationId);
      const entries = await queue
        .find({ organization_id, prompt_id: promptId, decided: { $gt: 0 } }, { document_id: 1, prompt_revid: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      const keys = entries.map(({ document_id, prompt_revid }) => ({
        document_id: document_id.toHexString(),
        prompt_revid: prompt_revid.toHexString(),
      }));
      yield* this.each(organizationId, keys);
    },
    unlisted: createUnlistedDocuments(connection),
    withTag: (organizationId: string, tagId: string): Promise<ReadonlySet<string>> =>
      idsOf({
        organization_id: organizationOf(organizationId),
        deleted_at: null,
        tag_ids: new mongoose.Types.ObjectId(tagId),
      }),
    /** Prompts of pending proposals. */
    async pendingPrompts(organizationId: string): Promise<Set<string>> {
      const filter = { organization_id: organizationOf(organizationId), review: 'pending' as const };
      const records = await prompts.find(filter, { _id: 1 }).lean();
      return new Set(records.map(({ _id }) => _id.toHexString()));
    },
  };
}

async function resultOf(record: ExtractionRecord): Promise<ReviewedResult> {
  const facts = await factsOf(record);
  return { extraction: await presentExtraction(record, facts), facts, changes: record.changes };
}
