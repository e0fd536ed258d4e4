import type { AgentLog } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageEnd } from '../../platform/database/page.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentRunModel, expiresAt, type DocumentRunRecord } from './document-run-model.ts';
import type { DocumentRun, HeadlessInput, HeadlessQueue, HeadlessState, RunCounts } from './headless-queue.ts';
import { createQueuePlaces } from './queue-place-repository.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

interface NewDocumentRun extends HeadlessInput {
  /** Set for a planned run, which is then queued only once. */
  id?: string | undefined;
}

/** Headless runs as callers queue and watch them. */
export type DocumentRunRepository = ReturnType<typeof createDocumentRunRepository>;

/** The runs that a cancellation ended, those it asked to end, and those waiting for a user's decision. */
interface CancelledRuns {
  ended: DocumentRun[];
  asked: number;
  waiting: DocumentRun[];
}

/** A document's run in a batch, and the turns that contain its writes. */
export interface UndoableDocumentRun {
  id: string;
  organizationId: string;
  documentId: string;
  runId: string;
  kind: DocumentRun['kind'];
  state: HeadlessState;
  requestedBy: string;
  threadId: string | null;
  /** An extraction's id is its turn's id. */
  turnIds: string[];
}

/** A proposal that a run made. */
interface PastProposal {
  runId: string;
  promptRevid: string;
  userId: string;
  /** Whether it uses an existing prompt. */
  isReuse: boolean;
}

export const noCounts: RunCounts = {
  queued: 0,
  running: 0,
  waiting: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  spuUsed: 0,
};

export const cancelled = { code: 'run_cancelled', message: 'The run was stopped before it finished.' };

export function createDocumentRunRepository(connection: Connection) {
  const model = documentRunModel(connection);
  const placeOf = createQueuePlaces(model);
  const ofBatch = (organizationId: string, runId: string): QueryFilter<DocumentRunRecord> => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    run_id: { $in: objectIdsOf([runId]) },
  });
  const ofDocument = (organizationId: string, documentId: string): QueryFilter<DocumentRunRecord> => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
  });
  const one = (organizationId: string, id: string): QueryFilter<DocumentRunRecord> => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    _id: { $in: objectIdsOf([id]) },
  });

  async function cancelAll(filter: QueryFilter<DocumentRunRecord>): Promise<CancelledRuns> {
    const queued = await model.find({ ...filter, state: 'queued' }, { log: 0 }).lean();
    const ended: DocumentRun[] = [];
    for (const { _id } of queued) {
      const record = await model
        .findOneAndUpdate(
          { _id, state: 'queued' },
          {
            $set: {
              state: 'cancelled',
              ended_at: new Date(),
              error: cancelled,
              is_unsettled: true,
              expires_at: expiresAt(),
            },
            $unset: { auto_create_of: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean();
      if (record !== null) ended.push(documentRunOf(record));
    }
    const { matchedCount } = await model.updateMany(
      { ...filter, state: 'running' },
      { $set: { is_cancel_asked: true } },
    );
    const waiting = await model.find({ ...filter, state: 'waiting' }, { log: 0 }).lean();
    return { ended, asked: matchedCount, waiting: waiting.map(documentRunOf) };
  }

  return {
    /**
     * Queues a run. Undefined if an auto-create of the document is already queued or running. If the id exists, returns
     * that run.
     */
    async insert(input: NewDocumentRun): Promise<DocumentRun | undefined> {
      const organization_id = new mongoose.Types.ObjectId(input.organizationId);
      const document_id = new mongoose.Types.ObjectId(input.documentId);
      const record: DocumentRunRecord = {
        _id: new mongoose.Types.ObjectId(input.id),
        organization_id,
        document_id,
        run_id: input.runId === undefined ? null : new mongoose.Types.ObjectId(input.runId),
        kind: input.kind,
        message: input.message ?? null,
        prompt_id: input.promptId ?? null,
        ...(input.replace === undefined ? {} : { replace: input.replace }),
        ...(input.onAsk === undefined ? {} : { on_ask: input.onAsk }),
        ...(input.scheduleId === undefined ? {} : { schedule_id: new mongoose.Types.ObjectId(input.scheduleId) }),
        auto_approved_tools: [...(input.autoApprovedTools ?? [])],
        requested_by: input.requestedBy,
        role: input.role,
        state: 'queued',
        ...(await placeOf(input)),
        attempts: 0,
        lease: null,
        turn_ids: [],
        thread_id: null,
        is_cancel_asked: false,
        queued_at: new Date(),
        started_at: null,
        ended_at: null,
        error: null,
        spu_used: 0,
        proposal: null,
        log: null,
        ...(input.kind === 'auto_create' ? { auto_create_of: document_id } : {}),
      };
      try {
        await model.insertMany([record], { lean: true });
        return documentRunOf(record);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const known = await model.findOne({ _id: record._id, organization_id }, { log: 0 }).lean();
        return known === null ? undefined : documentRunOf(known);
      }
    },
    async get(organizationId: string, id: string): Promise<DocumentRun | undefined> {
      const found = await model.findOne(one(organizationId, id), { log: 0 }).lean();
      return found === null ? undefined : documentRunOf(found);
    },
    /** The turns of each attempt. */
    async turnIdsOf(organizationId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const records = await model.find({ _id: { $in: objectIdsOf(ids) }, organization_id }, { turn_ids: 1 }).lean();
      return new Map(records.map(({ _id, turn_ids }) => [_id.toHexString(), turn_ids ?? []]));
    },
    async logOf(organizationId: string, id: string): Promise<AgentLog | undefined> {
      const found = await model.findOne(one(organizationId, id), { log: 1 }).lean();
      if (!found?.log) return undefined;
      const log: AgentLog = JSON.parse(found.log);
      return log;
    },
    /** In queue order. */
    async list(
      organizationId: string,
      runId: string,
      { states, changedSince: $gte, ...page }: Parameters<HeadlessQueue['listOfRun']>[2],
    ): Promise<{ documentRuns: DocumentRun[] } & PageEnd> {
      const filter: QueryFilter<DocumentRunRecord> = {
        ...ofBatch(organizationId, runId),
        ...(states && { state: { $in: [...states] } }),
        ...($gte && {
          $or: [{ state: { $in: ['running', 'waiting'] } }, { started_at: { $gte } }, { ended_at: { $gte } }],
        }),
      };
      const { records, end } = await readPage(model, filter, { ...page, sort: { _id: 1 }, projection: { log: 0 } });
      return { documentRuns: presentEach(records, documentRunOf), ...end };
    },
    async counts(organizationId: string, runId: string): Promise<RunCounts> {
      const sums = await model.aggregate<{ _id: HeadlessState; count: number; spu: number }>([
        { $match: ofBatch(organizationId, runId) },
        { $group: { _id: '$state', count: { $sum: 1 }, spu: { $sum: '$spu_used' } } },
      ]);
      const counts = { ...noCounts };
      for (const { _id, count, spu } of sums) {
        counts[_id] = count;
        counts.spuUsed += spu;
      }
      return counts;
    },
    /** Cancels the queued runs of a batch and requests cancellation of running ones. The caller handles waiting runs. */
    cancel: (organizationId: string, runId: string): Promise<CancelledRuns> =>
      cancelAll(ofBatch(organizationId, runId)),
    /** The same for all runs of these documents. */
    cancelOfDocuments: (organizationId: string, documentIds: readonly string[]): Promise<CancelledRuns> =>
      cancelAll({
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: { $in: objectIdsOf(documentIds) },
      }),
    /** Runs of a batch that are not undone yet, last ended first. */
    async undoable(organizationId: string, runId: string): Promise<UndoableDocumentRun[]> {
      const records = await model
        .find({ ...ofBatch(organizationId, runId), undone_at: { $exists: false } }, { log: 0 })
        .sort({ ended_at: -1, _id: -1 })
        .lean();
      return records.map((record) => {
        const { id, documentId, kind, state, requestedBy, threadId } = documentRunOf(record);
        const turnIds = kind === 'extraction' ? [id] : record.turn_ids;
        return { id, organizationId, documentId, runId, kind, state, requestedBy, threadId, turnIds };
      });
    },
    async setUndone(organizationId: string, id: string, calls: number): Promise<void> {
      await model.updateOne(one(organizationId, id), { $set: { undone_at: new Date(), undone_calls: calls } });
    },
    /** The number of undone runs that had written something. */
    async countUndone(organizationId: string, runId: string): Promise<number> {
      return await model.countDocuments({ ...ofBatch(organizationId, runId), undone_calls: { $gt: 0 } });
    },
    /** All proposals that runs made for a document. */
    async proposalsOf(organizationId: string, documentId: string): Promise<PastProposal[]> {
      const filter = { ...ofDocument(organizationId, documentId), proposal: { $ne: null } };
      const records = await model.find(filter, { log: 0 }).lean();
      return records.flatMap(({ _id, proposal, requested_by: userId }) => {
        if (!proposal) return [];
        const { prompt_revid: promptRevid, created } = proposal;
        return [{ runId: _id.toHexString(), promptRevid, userId, isReuse: created !== true }];
      });
    },
    /** Deletes the document's runs; requests cancellation of running ones, which their worker then deletes. */
    async removeOfDocument(organizationId: string, documentId: string): Promise<void> {
      const own = ofDocument(organizationId, documentId);
      await model.deleteMany({ ...own, state: { $ne: 'running' } });
      await model.updateMany({ ...own, state: 'running' }, { $set: { is_cancel_asked: true } });
    },
  };
}

export function documentRunOf(record: Omit<DocumentRunRecord, 'log'>): DocumentRun {
  return {
    id: record._id.toHexString(),
    organizationId: record.organization_id.toHexString(),
    documentId: record.document_id.toHexString(),
    runId: record.run_id?.toHexString() ?? null,
    kind: record.kind,
    state: record.state,
    requestedBy: record.requested_by,
    attempts: record.attempts,
    threadId: record.thread_id,
    queuedAt: record.queued_at,
    startedAt: record.started_at,
    endedAt: record.ended_at,
    error: record.error,
    spuUsed: record.spu_used,
  };
}
