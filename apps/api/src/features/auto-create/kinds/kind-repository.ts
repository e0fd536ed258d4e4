import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { createLeases, leaseFields, type Leases } from '../../../platform/leases/leases.ts';
import { extractionModel } from '../../extractions/index.ts';
import { documentRunModel } from '../../headless/index.ts';
import { kindModels, type KindLeaseRecord, type KindRecord } from './kind-model.ts';
import { noWords, withDocument, type KindFeatures, type KindWords } from './kind-words.ts';

export interface Kind {
  promptId: string;
  words: KindWords;
  creatorRunId?: string;
  tagId?: string;
  accepted?: NonNullable<KindRecord['accepted']>;
}

/** The kinds of documents, and the runs that create new ones. */
export interface KindRepository {
  ofPrompts(organizationId: string, promptIds: readonly string[]): Promise<Map<string, Kind>>;
  /** Counts a document once. `creatorRunId` is set if that run has created the prompt. */
  addDocument(
    organizationId: string,
    promptId: string,
    document: { id: string; words: KindFeatures; creatorRunId?: string | undefined },
  ): Promise<void>;
  /** Sets the tag that later documents of the kind get. */
  setTag(organizationId: string, promptId: string, tagId: string): Promise<void>;
  /** Stores the decision that accepted the prompt. Undefined removes it, and the tag, after its undo. */
  setAccepted(organizationId: string, promptId: string, accepted: KindRecord['accepted']): Promise<void>;
  remove(organizationId: string, promptId: string): Promise<void>;
  /** The last extracted documents of each prompt. */
  documentsOf(organizationId: string, promptIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The active runs that create a kind. */
  drafts(organizationId: string): Promise<{ runId: string; words: KindWords }[]>;
  addDraft(organizationId: string, runId: string, words: KindWords): Promise<void>;
  removeDraft(runId: string): Promise<void>;
  /** Runs `decide` under the lock of the organization's kinds, across all processes. */
  exclusively<Value>(organizationId: string, decide: () => Promise<Value>): Promise<Value>;
}

/** Each decision takes some milliseconds. A process that dies blocks the others for at most this long. */
const leaseMs = 10_000;
const pollMs = 25;
const timeoutMs = 60_000;
const maxDocumentIds = 200;
const maxExtractions = 500;

/** The locks of organizations' kinds. */
export function kindLeases(connection: Connection): Leases<KindLeaseRecord> {
  return createLeases<KindLeaseRecord>(kindModels(connection).leases.collection, leaseFields);
}

export function createKindRepository(connection: Connection): KindRepository {
  const { kinds, drafts, leases: leaseRecords } = kindModels(connection);
  const runs = documentRunModel(connection);
  const extractions = extractionModel(connection);
  const leases = kindLeases(connection);
  const one = (organizationId: string, promptId: string) => ({
    _id: new mongoose.Types.ObjectId(promptId),
    organization_id: new mongoose.Types.ObjectId(organizationId),
  });

  async function claim(which: { _id: mongoose.Types.ObjectId }): Promise<string> {
    await leaseRecords.updateOne(which, { $setOnInsert: which }, { upsert: true }).catch(ignoreDuplicateKey);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const claimed = await leases.claim(which, { milliseconds: leaseMs });
      if (claimed) return claimed.token;
      if (performance.now() > deadline) throw new Error('The lock of an organization’s kinds was not released.');
      await sleep(pollMs);
    }
  }

  return {
    async ofPrompts(organizationId, promptIds) {
      const records = await kinds
        .find({
          _id: { $in: objectIdsOf(promptIds) },
          organization_id: new mongoose.Types.ObjectId(organizationId),
        })
        .lean();
      return new Map(records.map((record) => [record._id.toHexString(), presentKind(record)]));
    },
    async addDocument(organizationId, promptId, { id, words, creatorRunId }) {
      const which = one(organizationId, promptId);
      const record = await kinds.findOne(which).lean();
      const known = record === null ? noWords : presentKind(record).words;
      const isCounted = record?.document_ids.includes(id) === true;
      await kinds.updateOne(
        which,
        {
          $set: {
            words: JSON.stringify(isCounted ? known : withDocument(known, words)),
            ...(creatorRunId === undefined ? {} : { creator_run_id: creatorRunId }),
          },
          ...(isCounted ? {} : { $push: { document_ids: { $each: [id], $slice: -maxDocumentIds } } }),
        },
        { upsert: true },
      );
    },
    async setTag(organizationId, promptId, tagId) {
      await kinds.updateOne(
        one(organizationId, promptId),
        { $set: { tag_id: tagId }, $setOnInsert: { words: JSON.stringify(noWords), document_ids: [] } },
        { upsert: true },
      );
    },
    async setAccepted(organizationId, promptId, accepted) {
      const update = accepted === undefined ? { $unset: { accepted: 1, tag_id: 1 } } : { $set: { accepted } };
      await kinds.updateOne(one(organizationId, promptId), update);
    },
    async remove(organizationId, promptId) {
      await kinds.deleteOne(one(organizationId, promptId));
    },
    async documentsOf(organizationId, promptIds) {
      if (promptIds.length === 0) return new Map();
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const records = await extractions
        .find({ organization_id, prompt_id: { $in: [...promptIds] } }, { document_id: 1, prompt_id: 1 })
        .sort({ changed_at: -1 })
        .limit(maxExtractions)
        .lean();
      const byPrompt = Map.groupBy(records, ({ prompt_id }) => prompt_id);
      return new Map(
        [...byPrompt].map(([id, own]) => [id, [...new Set(own.map(({ document_id }) => document_id.toHexString()))]]),
      );
    },
    async drafts(organizationId) {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const found = await drafts.find({ organization_id }).lean();
      if (found.length === 0) return [];
      const active = await runs
        .find(
          {
            _id: { $in: found.map(({ _id }) => _id) },
            // Until the outcome is stored on its document, the kind of an ended run is unknown.
            $or: [{ state: { $in: ['queued', 'running'] } }, { is_unsettled: true }],
          },
          { _id: 1 },
        )
        .lean();
      const ids = new Set(active.map(({ _id }) => _id.toHexString()));
      // An ended run creates nothing more, even if its process died before it removed the draft.
      const ended = found.filter(({ _id }) => !ids.has(_id.toHexString()));
      if (ended.length > 0) await drafts.deleteMany({ _id: { $in: ended.map(({ _id }) => _id) } });
      return found.flatMap(({ _id, words }) =>
        ids.has(_id.toHexString()) ? [{ runId: _id.toHexString(), words: wordsIn(words) }] : [],
      );
    },
    async addDraft(organizationId, runId, words) {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const set = { organization_id, words: JSON.stringify(words), created_at: new Date() };
      await drafts.updateOne({ _id: new mongoose.Types.ObjectId(runId) }, { $set: set }, { upsert: true });
    },
    async removeDraft(runId) {
      await drafts.deleteOne({ _id: new mongoose.Types.ObjectId(runId) });
    },
    async exclusively(organizationId, decide) {
      const which = { _id: new mongoose.Types.ObjectId(organizationId) };
      const token = await claim(which);
      try {
        return await decide();
      } finally {
        await leases.release(which, token);
      }
    },
  };
}

function presentKind({ _id, words, creator_run_id, tag_id, accepted }: KindRecord): Kind {
  return {
    promptId: _id.toHexString(),
    words: wordsIn(words),
    ...(creator_run_id === undefined ? {} : { creatorRunId: creator_run_id }),
    ...(tag_id === undefined ? {} : { tagId: tag_id }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

/** Records of earlier versions do not have all counts. */
const wordsIn = (json: string): KindWords => ({ ...noWords, ...(JSON.parse(json) as Partial<KindWords>) });
