import { outboxEvent } from '../event-log/index.ts';
import type { OnAsk, Role } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { createProtection, documentModel, type AutoCreateRecord, type DocumentRecord } from '../documents/index.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import type { UnsettledRun } from '../headless/index.ts';

/** A run requested at upload, for a document whose text has been read. */
interface PendingRun {
  organizationId: string;
  documentId: string;
  runId: string;
  requestedBy: string;
  role: Role;
  onAsk: OnAsk;
}

/** The kind of a proposal. */
interface ProposedKind {
  promptId: string;
  reuses?: AutoCreateRecord['reuses'];
  /** The tag that the document gets with the proposal. */
  tagId: string | undefined;
}

/** The state of each document's proposal; every step is one atomic update of the document. */
export type ProposalRepository = ReturnType<typeof createProposalRepository>;

/** States of documents whose text has been read. */
const readStates = ['ocr_completed', 'llm_processing', 'llm_completed', 'llm_failed'] as const;

export function createProposalRepository(connection: Connection) {
  const model = documentModel(connection);
  const protectionOf = createProtection(connection);
  const one = (organizationId: string, documentId: string): QueryFilter<DocumentRecord> => ({
    _id: new mongoose.Types.ObjectId(documentId),
    organization_id: new mongoose.Types.ObjectId(organizationId),
  });
  const running = (runId: string): AutoCreateRecord => ({ status: 'running', run_id: runId });

  return {
    /** Pending runs of one document, or of all documents up to a limit. */
    async pending(where: { documentId: string } | { limit: number }): Promise<PendingRun[]> {
      const own = 'documentId' in where ? { _id: new mongoose.Types.ObjectId(where.documentId) } : {};
      const limit = 'documentId' in where ? 1 : where.limit;
      const records = await model
        .find({
          ...own,
          'auto_create_request.run_id': { $exists: true },
          // A route can keep the document from models.
          routing_due: null,
          state: { $in: [...readStates] },
          deleted_at: null,
        })
        .limit(limit)
        .lean();
      return records.flatMap((record) =>
        record.auto_create_request
          ? [
              {
                organizationId: record.organization_id.toHexString(),
                documentId: record._id.toHexString(),
                runId: record.auto_create_request.run_id,
                requestedBy: record.uploaded_by.toHexString(),
                role: record.auto_create_request.role,
                onAsk: record.auto_create_request.on_ask ?? 'deny',
              },
            ]
          : [],
      );
    },
    /** Notes that the run was queued, or that it was not needed. */
    async markQueued({ organizationId, documentId, runId }: PendingRun, isQueued: boolean): Promise<void> {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create_request.run_id': runId },
        { $unset: { auto_create_request: 1 }, ...(isQueued ? { $set: { auto_create: running(runId) } } : {}) },
      );
    },
    async setRunning(organizationId: string, documentId: string, runId: string): Promise<void> {
      await model.updateOne(one(organizationId, documentId), {
        $set: { auto_create: running(runId) },
        $unset: { auto_create_request: 1 },
      });
    },
    /** Notes that the model works on the document. Returns false if the document was deleted. */
    async markStarted(organizationId: string, documentId: string, runId: string): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { ...one(organizationId, documentId), deleted_at: null },
        {
          $set: { auto_create: running(runId), state: 'llm_processing' },
          $unset: { state_error: 1, auto_create_request: 1 },
        },
      );
      return matchedCount === 1;
    },
    /** Notes whether the run waits for a decision in the inbox. */
    async setWaiting(
      { id, organizationId, documentId }: { id: string; organizationId: string; documentId: string },
      isWaiting: boolean,
    ): Promise<void> {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create.run_id': id, 'auto_create.status': 'running' },
        isWaiting ? { $set: { 'auto_create.waiting': true } } : { $unset: { 'auto_create.waiting': 1 } },
      );
    },
    /** Notes the outcome of the run, unless another one has started since. */
    async settle(
      { id, organizationId, documentId, state, error, endedAt, startedAt, proposal }: UnsettledRun,
      kind?: ProposedKind,
    ): Promise<void> {
      const { prompt_revid, schema_revid } = proposal ?? {};
      const ended: AutoCreateRecord = {
        status: state === 'succeeded' && proposal ? 'proposed' : 'failed',
        run_id: id,
        done_at: endedAt ?? new Date(),
        ...(prompt_revid === undefined ? {} : { prompt_revid }),
        ...(schema_revid === undefined ? {} : { schema_revid }),
        ...(kind === undefined ? {} : { prompt_id: kind.promptId }),
        ...(kind?.reuses === undefined ? {} : { reuses: kind.reuses }),
        ...(error ? { error } : {}),
      };
      // A skipped document has a result that a user has reviewed.
      const hasResult = ended.status === 'proposed' || state === 'skipped';
      const running = {
        ...one(organizationId, documentId),
        'auto_create.run_id': id,
        'auto_create.status': 'running' as const,
      };
      const about = { run_id: id, ...(kind && { prompt_id: kind.promptId }), ...(prompt_revid && { prompt_revid }) };
      const ready = ended.status === 'proposed' ? [outboxEvent('proposal.ready', about)] : [];
      const published = { event_outbox: { $each: ready } };
      const tag = kind?.tagId;
      if (tag !== undefined) {
        await protectionOf(organizationId).protect(objectIdsOf([documentId]), [tag]);
        // Noted only if the document did not have the tag before, so that a rejection removes no other tag.
        const tagged = await model.updateOne(
          { ...running, tag_ids: { $ne: new mongoose.Types.ObjectId(tag) } },
          {
            $set: { auto_create: { ...ended, given_tag: tag }, state: 'llm_completed' },
            $unset: { state_error: 1 },
            $addToSet: { tag_ids: new mongoose.Types.ObjectId(tag) },
            $inc: { changes: 1 },
            $push: published,
          },
        );
        if (tagged.matchedCount === 1) return;
      }
      await model.updateOne(running, {
        $set: {
          auto_create: ended,
          ...(hasResult ? { state: 'llm_completed' } : {}),
          ...(!hasResult && startedAt !== null ? { state: 'llm_failed', state_error: error } : {}),
        },
        ...(hasResult ? { $unset: { state_error: 1 } } : {}),
        $push: published,
      });
    },
    /** Removes the notes of a run whose proposal was undone from the document. */
    async forget(organizationId: string, documentId: string, runId: string): Promise<void> {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create.run_id': runId, 'auto_create.status': { $ne: 'running' } },
        { $unset: { auto_create: 1 } },
      );
    },
    /** The run that made the document's proposal. */
    async runOf(organizationId: string, documentId: string): Promise<string | undefined> {
      const record = await model.findOne(one(organizationId, documentId), { auto_create: 1 }).lean();
      return record?.auto_create?.run_id;
    },
  };
}
