import type { OnAsk, Role } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, type AutoCreateRecord, type DocumentRecord } from '../documents/document-model.ts';
import type { UnsettledRun } from '../headless/claim-repository.ts';

/** A run that was promised at the upload, of a document whose text is there by now. */
export interface PromisedRun {
  organizationId: string;
  documentId: string;
  runId: string;
  requestedBy: string;
  role: Role;
  onAsk: OnAsk;
}

/** A decision on a proposal, as far as it is carried out yet. */
export interface Decision {
  status: 'accepted' | 'rejected';
  runId: string;
  promptRevid: string | undefined;
  promptId: string | undefined;
  /** Its kind was there before. */
  isReuse: boolean;
  /** The tag that came with the proposal. */
  givenTag: string | undefined;
  tagId: string | undefined;
  userId: string;
}

export interface UnfinishedDecision extends Decision {
  organizationId: string;
  documentId: string;
}

/** What kind a document is proposed as. */
export interface ProposedKind {
  promptId: string;
  reuses?: AutoCreateRecord['reuses'];
  /** Set on the document with the proposal. */
  tagId: string | undefined;
}

/** Where each document's proposal stands; every step is one atomic update of the document. */
export interface ProposalRepository {
  /** Of that document, or of as many as there are up to a limit. */
  promised(where: { documentId: string } | { limit: number }): Promise<PromisedRun[]>;
  /** The run stands in the queue now, or was not needed. */
  keepPromise(promised: PromisedRun, isQueued: boolean): Promise<void>;
  setRunning(organizationId: string, documentId: string, runId: string): Promise<void>;
  /** The model works on it; false where the document is gone. */
  begin(organizationId: string, documentId: string, runId: string): Promise<boolean>;
  /** The run waits for a decision in the inbox, or does so no longer. */
  setWaiting(run: { id: string; organizationId: string; documentId: string }, isWaiting: boolean): Promise<void>;
  /** Notes how the run ended, unless another has begun since. */
  settle(run: UnsettledRun, kind?: ProposedKind): Promise<void>;
  /** Of all who decide on a proposal, one does; undefined for the others. */
  decide(
    organizationId: string,
    documentId: string,
    decision: { status: Decision['status']; tagId?: string | undefined; userId: string },
  ): Promise<Decision | undefined>;
  /** The same for all documents of a kind that wait, or for those named. */
  decideAll(
    organizationId: string,
    promptId: string,
    decision: {
      status: Decision['status'];
      tagId?: string | undefined;
      userId: string;
      documentIds?: readonly string[] | undefined;
    },
  ): Promise<(Decision & { documentId: string })[]>;
  /** Of those documents, as far as their proposals still are of those runs. */
  finishDecision(organizationId: string, documentIds: readonly string[], runIds: readonly string[]): Promise<void>;
  /** Documents that wait reuse an accepted prompt from now on. */
  markAccepted(organizationId: string, promptId: string): Promise<void>;
  /** Other documents, also those in the trash, whose proposals by the prompt wait or were accepted. */
  countOthers(organizationId: string, promptId: string, documentId: string): Promise<number>;
  removeTag(organizationId: string, documentId: string, tagId: string): Promise<void>;
  unfinishedDecisions(limit: number): Promise<UnfinishedDecision[]>;
  /** The document tells no more of a run whose proposal was taken back. */
  forget(organizationId: string, documentId: string, runId: string): Promise<void>;
  /** Which run the document's proposal is of. */
  runOf(organizationId: string, documentId: string): Promise<string | undefined>;
}

/** States in which the text is there. */
const read = ['ocr_completed', 'llm_processing', 'llm_completed', 'llm_failed'] as const;

export function createProposalRepository(connection: Connection): ProposalRepository {
  const model = documentModel(connection);
  const one = (organizationId: string, documentId: string): QueryFilter<DocumentRecord> => ({
    _id: new mongoose.Types.ObjectId(documentId),
    organization_id: new mongoose.Types.ObjectId(organizationId),
  });
  const running = (runId: string): AutoCreateRecord => ({ status: 'running', run_id: runId });

  return {
    async promised(where) {
      const own = 'documentId' in where ? { _id: new mongoose.Types.ObjectId(where.documentId) } : {};
      const limit = 'documentId' in where ? 1 : where.limit;
      const records = await model
        .find({ ...own, 'auto_create_request.run_id': { $exists: true }, state: { $in: [...read] }, deleted_at: null })
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
    async keepPromise({ organizationId, documentId, runId }, isQueued) {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create_request.run_id': runId },
        { $unset: { auto_create_request: 1 }, ...(isQueued ? { $set: { auto_create: running(runId) } } : {}) },
      );
    },
    async setRunning(organizationId, documentId, runId) {
      await model.updateOne(one(organizationId, documentId), {
        $set: { auto_create: running(runId) },
        $unset: { auto_create_request: 1 },
      });
    },
    async begin(organizationId, documentId, runId) {
      const { matchedCount } = await model.updateOne(
        { ...one(organizationId, documentId), deleted_at: null },
        {
          $set: { auto_create: running(runId), state: 'llm_processing' },
          $unset: { state_error: 1, auto_create_request: 1 },
        },
      );
      return matchedCount === 1;
    },
    async setWaiting({ id, organizationId, documentId }, isWaiting) {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create.run_id': id, 'auto_create.status': 'running' },
        isWaiting ? { $set: { 'auto_create.waiting': true } } : { $unset: { 'auto_create.waiting': 1 } },
      );
    },
    async settle({ id, organizationId, documentId, state, error, endedAt, startedAt, proposal }, kind) {
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
      const isProposed = ended.status === 'proposed';
      const running = {
        ...one(organizationId, documentId),
        'auto_create.run_id': id,
        'auto_create.status': 'running' as const,
      };
      const tag = kind?.tagId;
      if (tag !== undefined) {
        // Taken off again with the proposal only where the document did not have it before.
        const tagged = await model.updateOne(
          { ...running, tag_ids: { $ne: new mongoose.Types.ObjectId(tag) } },
          {
            $set: { auto_create: { ...ended, given_tag: tag }, state: 'llm_completed' },
            $unset: { state_error: 1 },
            $addToSet: { tag_ids: new mongoose.Types.ObjectId(tag) },
            $inc: { changes: 1 },
          },
        );
        if (tagged.matchedCount === 1) return;
      }
      await model.updateOne(running, {
        $set: {
          auto_create: ended,
          ...(isProposed ? { state: 'llm_completed' } : {}),
          ...(!isProposed && startedAt !== null ? { state: 'llm_failed', state_error: error } : {}),
        },
        ...(isProposed ? { $unset: { state_error: 1 } } : {}),
      });
    },
    async decide(organizationId, documentId, { status, tagId, userId }) {
      const unfinished = { user_id: userId, ...(tagId === undefined ? {} : { tag_id: tagId }) };
      const record = await model
        .findOneAndUpdate(
          { ...one(organizationId, documentId), deleted_at: null, 'auto_create.status': 'proposed' },
          {
            $set: { 'auto_create.status': status, 'auto_create.unfinished': unfinished },
            ...(tagId === undefined
              ? {}
              : { $addToSet: { tag_ids: new mongoose.Types.ObjectId(tagId) }, $inc: { changes: 1 } }),
          },
          { returnDocument: 'after' },
        )
        .lean();
      return record?.auto_create ? decisionOf(record.auto_create) : undefined;
    },
    async decideAll(organizationId, promptId, { status, tagId, userId, documentIds }) {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      // Told from decisions that others take at the same moment.
      const decision_id = new mongoose.Types.ObjectId().toHexString();
      const unfinished = { user_id: userId, decision_id, ...(tagId === undefined ? {} : { tag_id: tagId }) };
      await model.updateMany(
        {
          organization_id,
          deleted_at: null,
          'auto_create.status': 'proposed',
          'auto_create.prompt_id': promptId,
          ...(documentIds === undefined ? {} : { _id: { $in: objectIdsOf(documentIds) } }),
        },
        {
          $set: { 'auto_create.status': status, 'auto_create.unfinished': unfinished },
          ...(tagId === undefined
            ? {}
            : { $addToSet: { tag_ids: new mongoose.Types.ObjectId(tagId) }, $inc: { changes: 1 } }),
        },
      );
      const records = await model
        .find({
          organization_id,
          'auto_create.status': status,
          'auto_create.prompt_id': promptId,
          'auto_create.unfinished.decision_id': decision_id,
        })
        .lean();
      return records.flatMap((record) => {
        const decision = record.auto_create && decisionOf(record.auto_create);
        return decision ? [{ ...decision, documentId: record._id.toHexString() }] : [];
      });
    },
    async finishDecision(organizationId, documentIds, runIds) {
      await model.updateMany(
        {
          _id: { $in: objectIdsOf(documentIds) },
          organization_id: new mongoose.Types.ObjectId(organizationId),
          'auto_create.run_id': { $in: [...runIds] },
        },
        { $unset: { 'auto_create.unfinished': 1 } },
      );
    },
    async markAccepted(organizationId, promptId) {
      await model.updateMany(
        {
          organization_id: new mongoose.Types.ObjectId(organizationId),
          'auto_create.status': 'proposed',
          'auto_create.prompt_id': promptId,
          'auto_create.reuses.accepted': false,
        },
        { $set: { 'auto_create.reuses.accepted': true } },
      );
    },
    async countOthers(organizationId, promptId, documentId) {
      return await model.countDocuments({
        organization_id: new mongoose.Types.ObjectId(organizationId),
        'auto_create.status': { $in: ['proposed', 'accepted'] },
        'auto_create.prompt_id': promptId,
        _id: { $ne: new mongoose.Types.ObjectId(documentId) },
      });
    },
    async removeTag(organizationId, documentId, tagId) {
      await model.updateOne(one(organizationId, documentId), {
        $pull: { tag_ids: new mongoose.Types.ObjectId(tagId) },
        $inc: { changes: 1 },
      });
    },
    async unfinishedDecisions(limit) {
      const records = await model
        .find({ 'auto_create.unfinished.user_id': { $exists: true } })
        .limit(limit)
        .lean();
      return records.flatMap((record) => {
        const decision = record.auto_create && decisionOf(record.auto_create);
        if (!decision) return [];
        const organizationId = record.organization_id.toHexString();
        return [{ ...decision, organizationId, documentId: record._id.toHexString() }];
      });
    },
    async forget(organizationId, documentId, runId) {
      await model.updateOne(
        { ...one(organizationId, documentId), 'auto_create.run_id': runId, 'auto_create.status': { $ne: 'running' } },
        { $unset: { auto_create: 1 } },
      );
    },
    async runOf(organizationId, documentId) {
      const record = await model.findOne(one(organizationId, documentId), { auto_create: 1 }).lean();
      return record?.auto_create?.run_id;
    },
  };
}

function decisionOf(record: AutoCreateRecord): Decision | undefined {
  const { status, run_id, prompt_revid, prompt_id, reuses, given_tag, unfinished } = record;
  if ((status !== 'accepted' && status !== 'rejected') || !unfinished) return undefined;
  return {
    status,
    runId: run_id,
    promptRevid: prompt_revid,
    promptId: prompt_id,
    isReuse: reuses !== undefined,
    givenTag: given_tag,
    tagId: unfinished.tag_id,
    userId: unfinished.user_id,
  };
}
