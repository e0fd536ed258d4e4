import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { createProtection, documentModel, type AutoCreateRecord } from '../../documents/index.ts';
import { extractionModel } from '../../extractions/index.ts';

/** A stored decision on a proposal that is not executed completely yet. */
export interface Decision {
  status: 'accepted' | 'rejected';
  runId: string;
  promptRevid: string | undefined;
  promptId: string | undefined;
  /** Its kind existed before the run. */
  isReuse: boolean;
  /** The tag that the document got with the proposal. */
  givenTag: string | undefined;
  tagId: string | undefined;
  userId: string;
  /** Absent in decisions from before decisions had ids. */
  decisionId: string | undefined;
  /** A rejection also removes results that users have verified. */
  includingVerified: boolean;
  /** A rejection that is being undone. */
  isUndone: boolean;
}

interface NewDecision {
  status: Decision['status'];
  tagId?: string | undefined;
  userId: string;
  includingVerified?: boolean | undefined;
}

/** Selects the documents that one decision accepted. */
export type AcceptedBy = { decisionId: string } | { documentId: string; runId: string };

export interface UnfinishedDecision extends Decision {
  organizationId: string;
  documentId: string;
}

/** Decisions on proposals. Each is stored by one atomic update of its documents. */
export type DecisionRepository = ReturnType<typeof createDecisionRepository>;

export function createDecisionRepository(connection: Connection) {
  const model = documentModel(connection);
  const protectionOf = createProtection(connection);
  const extractions = extractionModel(connection);
  const one = (organizationId: string, documentId: string) => ({
    _id: new mongoose.Types.ObjectId(documentId),
    organization_id: new mongoose.Types.ObjectId(organizationId),
  });

  return {
    /** The first decision on a proposal is stored. Undefined for concurrent ones. */
    async decide(
      organizationId: string,
      documentId: string,
      { status, tagId, userId, decisionId: decision_id, includingVerified }: NewDecision & { decisionId: string },
    ): Promise<Decision | undefined> {
      const unfinished = unfinishedOf({ userId, tagId, includingVerified }, decision_id);
      const pending = {
        ...one(organizationId, documentId),
        deleted_at: null,
        'auto_create.status': 'proposed' as const,
      };
      const decided = {
        'auto_create.status': status,
        'auto_create.unfinished': unfinished,
        'auto_create.decision_id': decision_id,
      };
      const after = { returnDocument: 'after' } as const;
      if (tagId !== undefined) await protectionOf(organizationId).protect(objectIdsOf([documentId]), [tagId]);
      const tagged =
        tagId === undefined
          ? null
          : await model.findOneAndUpdate({ ...pending, ...without(tagId) }, withTag(decided, tagId), after).lean();
      const record = tagged ?? (await model.findOneAndUpdate(pending, { $set: decided }, after).lean());
      return record?.auto_create ? decisionOf(record.auto_create) : undefined;
    },
    /** Decides all pending documents of a kind, or those of `documentIds`. */
    async decideAll(
      organizationId: string,
      promptId: string,
      {
        status,
        tagId,
        userId,
        documentIds,
        decisionId: decision_id,
        includingVerified,
      }: NewDecision & { decisionId: string; documentIds?: readonly string[] | undefined },
    ): Promise<(Decision & { documentId: string })[]> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const unfinished = unfinishedOf({ userId, tagId, includingVerified }, decision_id);
      const pending = {
        organization_id,
        deleted_at: null,
        'auto_create.status': 'proposed' as const,
        'auto_create.prompt_id': promptId,
        ...(documentIds === undefined ? {} : { _id: { $in: objectIdsOf(documentIds) } }),
      };
      const decided = {
        'auto_create.status': status,
        'auto_create.unfinished': unfinished,
        'auto_create.decision_id': decision_id,
      };
      if (tagId !== undefined) {
        const tagged = { ...pending, ...without(tagId) };
        const protection = protectionOf(organizationId);
        if ((await protection.keeping([tagId])).length > 0) {
          const concerned = await model.find(tagged, { _id: 1 }).lean();
          await protection.protect(
            concerned.map(({ _id }) => _id),
            [tagId],
          );
        }
        await model.updateMany(tagged, withTag(decided, tagId));
      }
      await model.updateMany(pending, { $set: decided });
      // The id distinguishes this decision from concurrent ones.
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
    /** Marks decisions as executed, for documents whose proposals are still from these runs. */
    async finishDecision(
      organizationId: string,
      documentIds: readonly string[],
      runIds: readonly string[],
    ): Promise<void> {
      await model.updateMany(
        {
          _id: { $in: objectIdsOf(documentIds) },
          organization_id: new mongoose.Types.ObjectId(organizationId),
          'auto_create.run_id': { $in: [...runIds] },
        },
        { $unset: { 'auto_create.unfinished': 1 } },
      );
    },
    /** Notes for pending documents that reuse a prompt that it is accepted now. */
    async markAccepted(organizationId: string, promptId: string): Promise<void> {
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
    /** Counts other documents, including those in the trash, with a pending or accepted proposal of the prompt. */
    async countOthers(organizationId: string, promptId: string, documentIds: readonly string[]): Promise<number> {
      return await model.countDocuments({
        organization_id: new mongoose.Types.ObjectId(organizationId),
        'auto_create.status': { $in: ['proposed', 'accepted'] },
        'auto_create.prompt_id': promptId,
        _id: { $nin: objectIdsOf(documentIds) },
      });
    },
    /**
     * Makes accepted documents pending again, without the tag of the acceptance. Returns the prompts of their kinds.
     * Idempotent.
     */
    async reopen(organizationId: string, accepted: AcceptedBy): Promise<string[]> {
      const which =
        'decisionId' in accepted
          ? {
              organization_id: new mongoose.Types.ObjectId(organizationId),
              'auto_create.decision_id': accepted.decisionId,
            }
          : { ...one(organizationId, accepted.documentId), 'auto_create.run_id': accepted.runId };
      const records = await model
        .find({ ...which, deleted_at: null, 'auto_create.status': 'accepted' }, { auto_create: 1 })
        .lean();
      for (const { _id, auto_create } of records) {
        const tag = auto_create?.accepted_tag;
        await model.updateOne(
          { _id, 'auto_create.status': 'accepted', 'auto_create.unfinished': { $exists: false } },
          {
            $set: { 'auto_create.status': 'proposed' },
            $unset: { 'auto_create.decision_id': 1, 'auto_create.accepted_tag': 1 },
            ...(tag === undefined ? {} : { $pull: { tag_ids: new mongoose.Types.ObjectId(tag) } }),
            $inc: { changes: 1 },
          },
        );
      }
      return [...new Set(records.flatMap(({ auto_create }) => auto_create?.prompt_id ?? []))];
    },
    async countAccepted(organizationId: string, promptId: string): Promise<number> {
      return await model.countDocuments({
        organization_id: new mongoose.Types.ObjectId(organizationId),
        'auto_create.status': 'accepted',
        'auto_create.prompt_id': promptId,
      });
    },
    /** Whether the prompt has results on documents without a pending proposal of it. */
    async hasOtherResults(organizationId: string, promptId: string): Promise<boolean> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const waiting = { organization_id, 'auto_create.status': 'proposed' as const, 'auto_create.prompt_id': promptId };
      const $nin = await model.distinct('_id', waiting);
      return (await extractions.exists({ organization_id, prompt_id: promptId, document_id: { $nin } })) !== null;
    },
    /** Notes for pending documents that reuse a prompt that it is pending again. */
    async markPending(organizationId: string, promptId: string): Promise<void> {
      await model.updateMany(
        {
          organization_id: new mongoose.Types.ObjectId(organizationId),
          'auto_create.status': 'proposed',
          'auto_create.prompt_id': promptId,
          'auto_create.reuses': { $exists: true },
        },
        { $set: { 'auto_create.reuses.accepted': false } },
      );
    },
    async removeTag(organizationId: string, documentIds: readonly string[], tagId: string): Promise<void> {
      const filter = {
        _id: { $in: objectIdsOf(documentIds) },
        organization_id: new mongoose.Types.ObjectId(organizationId),
      };
      await model.updateMany(filter, { $pull: { tag_ids: new mongoose.Types.ObjectId(tagId) }, $inc: { changes: 1 } });
    },
    /** Which of the documents have a result. */
    async documentsWithResults(organizationId: string, documentIds: readonly string[]): Promise<Set<string>> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const filter = { organization_id, document_id: { $in: objectIdsOf(documentIds) } };
      const records = await extractions.find(filter, { document_id: 1 }).lean();
      return new Set(records.map(({ document_id }) => document_id.toHexString()));
    },
    async unfinishedDecisions(limit: number): Promise<UnfinishedDecision[]> {
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
  };
}

function unfinishedOf({ userId, tagId, includingVerified }: Omit<NewDecision, 'status'>, decision_id: string) {
  return {
    user_id: userId,
    decision_id,
    ...(tagId !== undefined && { tag_id: tagId }),
    ...(includingVerified === true && { including_verified: true as const }),
  };
}

const without = (tagId: string) => ({ tag_ids: { $ne: new mongoose.Types.ObjectId(tagId) } });

/** Notes the tag only for documents that did not have it, so that undo does not remove a tag they had before. */
function withTag(set: Record<string, unknown>, tagId: string) {
  return {
    $set: { ...set, 'auto_create.accepted_tag': tagId },
    $addToSet: { tag_ids: new mongoose.Types.ObjectId(tagId) },
    $inc: { changes: 1 },
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
    decisionId: unfinished.decision_id,
    includingVerified: unfinished.including_verified === true,
    isUndone: unfinished.undo === true,
  };
}
