import { isComplete } from '@docwright/documents/long';
import mongoose, { type Connection, type Types } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import { exceptIds, objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { createStoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import { documentModel } from '../documents/index.ts';
import { extractionModel, removedResultModel, storedJson } from '../extractions/index.ts';
import type { ExtractionRecord } from '../extractions/index.ts';
import { exactOf, resultIndexModel, resultStampModel, type ResultIndexRecord } from './result-index-model.ts';

/** A document and prompt whose results have changed. */
interface IndexKey {
  organizationId: string;
  documentId: string;
  promptId: string;
}

interface PendingKey extends IndexKey {
  /** The record that asks for the update. */
  recordId: string;
}

/** Which results are asked for. */
interface PromptKey {
  organizationId: string;
  promptId: string;
}

/** The index of results, of all organizations: a job updates it. */
export type ResultIndexRepository = ReturnType<typeof createResultIndex>;

/** The name of the stored copies of a prompt's results. */
export const copyNameOf = (promptId: string): string => `results ${promptId}`;

const maxAttempts = 20;
/** The embedded database keeps the bytes of so many entries at hand while it searches; others it would read twice. */
const entryBatch = 1_000;
/** Results of named documents that are read at once. */
const namedBatch = 200;

/** The bound lets an index find the marked results, where `$exists` would read all. */
const isMarked = { $gt: '' };

export function createResultIndex(connection: Connection) {
  const index = resultIndexModel(connection);
  const stamps = resultStampModel(connection);
  const extractions = extractionModel(connection);
  const removed = removedResultModel(connection);
  const documents = documentModel(connection);
  const stored = createStoredCopies(connection);

  const ofPrompt = ({ organizationId, promptId }: PromptKey) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    prompt_id: promptId,
  });
  const stampId = ({ organizationId, promptId }: PromptKey) => `${organizationId}/${promptId}`;
  const raiseStamp = async (prompt: PromptKey) =>
    void (await stamps.updateOne({ _id: stampId(prompt) }, { $inc: { stamp: 1 } }, { upsert: true }));

  const keyOf = (
    record: Pick<ExtractionRecord, '_id' | 'organization_id' | 'document_id' | 'prompt_id'>,
  ): PendingKey => ({
    recordId: record._id.toHexString(),
    organizationId: String(record.organization_id),
    documentId: String(record.document_id),
    promptId: record.prompt_id,
  });

  async function entryOf(record: ExtractionRecord): Promise<Omit<ResultIndexRecord, '_id' | 'writes'> | undefined> {
    const { organization_id, document_id } = record;
    const document = await documents.findOne({ _id: document_id, organization_id }, { document_name: 1 }).lean();
    if (document === null) return undefined;
    return {
      organization_id,
      document_id,
      document_name: document.document_name,
      prompt_id: record.prompt_id,
      prompt_revid: record.prompt_revid,
      version: record.version,
      release: record.release?.state ?? 'open',
      is_verified: record.is_verified,
      is_complete: isComplete(record.issues ?? []),
      result: record.result,
      exact: await storedJson(await exactOf(record.grounding)),
      changed_at: record.changed_at,
    };
  }

  /** Writes the entry if it is still as it was read. */
  async function write(
    key: ReturnType<typeof ofPrompt> & { document_id: Types.ObjectId },
    writes: number | undefined,
    set: object,
    unset: object,
  ): Promise<boolean> {
    const filter = { ...key, writes: writes ?? { $exists: false } };
    const change = { $set: set, $unset: unset, $inc: { writes: 1 }, $currentDate: { indexed_at: true } } as const;
    try {
      const result = await index.updateOne(filter, change, { upsert: writes === undefined });
      return result.matchedCount + result.upsertedCount > 0;
    } catch (error) {
      ignoreDuplicateKey(error);
      return false;
    }
  }

  async function update(key: IndexKey): Promise<void> {
    const document_id = new mongoose.Types.ObjectId(key.documentId);
    const own = { ...ofPrompt(key), document_id };
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const removals = await removed.find(own, { _id: 1 }).lean();
      // Read before the results: an unchanged entry at the write means that no other process has written a newer one.
      const former = await index.findOne(own, { writes: 1, is_removed: 1 }).lean();
      const records = await extractions
        .find(own, { is_verified: 1, changed_at: 1, index_pending: 1 })
        .sort({ is_verified: -1, changed_at: -1, _id: -1 })
        .lean();
      const newest = records[0] && (await extractions.findOne({ ...own, _id: records[0]._id }).lean());
      if (records[0] && !newest) continue;
      const entry = newest ? await entryOf(newest) : undefined;
      // What was removed before it had an entry gets one: sums can include it already.
      const isNothing = entry === undefined && removals.length === 0 && (former === null || former.is_removed === true);
      const isWritten =
        isNothing ||
        (entry === undefined
          ? await write(own, former?.writes, { is_removed: true, result: '', exact: '', document_name: '' }, {})
          : await write(own, former?.writes, entry, { is_removed: 1 }));
      if (!isWritten) continue;
      if (!isNothing) await raiseStamp(key);
      // They have its text. A process that stores one meanwhile removes it itself.
      if (entry === undefined) await stored.remove(key.organizationId, copyNameOf(key.promptId));
      for (const { _id, index_pending } of records) {
        const seen = newest?._id.equals(_id) ? newest.index_pending : index_pending;
        if (seen !== undefined)
          await extractions.updateOne({ _id, index_pending: seen }, { $unset: { index_pending: 1 } });
      }
      if (removals.length > 0) await removed.deleteMany({ _id: { $in: removals.map(({ _id }) => _id) } });
      return;
    }
    throw new Error('Too many writes of one entry of the index of results at once.');
  }

  return {
    /** Writes the entry of the newest result, and removes the marks that were seen. Idempotent. */
    update,
    /** Results that the index has not processed, of one prompt or of all. */
    async pending(limit: number, prompt?: PromptKey, setAside: readonly string[] = []): Promise<PendingKey[]> {
      const among = { ...(prompt && ofPrompt(prompt)), ...exceptIds(setAside) };
      const fields = { organization_id: 1, document_id: 1, prompt_id: 1 } as const;
      const gone = await removed.find(among, fields).limit(limit).lean();
      const written = await extractions
        .find({ index_pending: isMarked, ...among }, fields)
        .limit(limit - gone.length || 1)
        .lean();
      const keys = [...gone, ...written].map(keyOf);
      return [...new Map(keys.map((key) => [`${key.documentId} ${key.promptId}`, key])).values()];
    },
    async countPending(prompt: PromptKey): Promise<number> {
      return (
        (await extractions.countDocuments({ index_pending: isMarked, ...ofPrompt(prompt) })) +
        (await removed.countDocuments(ofPrompt(prompt)))
      );
    },
    /** The documents whose entries are not up to date. */
    async pendingDocuments(prompt: PromptKey): Promise<Set<string>> {
      const own = ofPrompt(prompt);
      const [written, gone] = await Promise.all([
        extractions.distinct('document_id', { index_pending: isMarked, ...own }),
        removed.distinct('document_id', own),
      ]);
      return new Set([...written, ...gone].map(String));
    },
    /** Requests an update, for changes that do not write the result. */
    async mark({ organizationId, documentId, promptId }: IndexKey): Promise<void> {
      const document_id = objectIdOf(documentId);
      if (!document_id) return;
      const mark = new mongoose.Types.ObjectId().toHexString();
      const own = { ...ofPrompt({ organizationId, promptId }), document_id };
      await extractions.updateMany(own, { $set: { index_pending: mark } });
    },
    async removeDocument(organizationId: string, documentId: string): Promise<void> {
      const own = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
      };
      for (const { prompt_id } of await index.find(own, { prompt_id: 1 }).lean()) {
        await update({ organizationId, documentId, promptId: prompt_id });
      }
    },
    /** Removes entries of removed results that every copy in memory has processed. */
    async sweep(before: Date): Promise<void> {
      await index.deleteMany({ is_removed: true, indexed_at: { $lt: before } });
    },
    /** The prompts that have results, or had them. */
    async promptIds(organizationId: string): Promise<string[]> {
      const ofOrganization = { $gte: `${organizationId}/`, $lt: `${organizationId}0` };
      const [stamped, pending] = await Promise.all([
        stamps.find({ _id: ofOrganization }, { _id: 1 }).lean(),
        extractions.distinct('prompt_id', {
          organization_id: new mongoose.Types.ObjectId(organizationId),
          index_pending: isMarked,
        }),
      ]);
      return [...new Set([...stamped.map(({ _id }) => _id.slice(organizationId.length + 1)), ...pending])];
    },
    /** Increments with each write of an entry of the prompt. */
    async stamp(prompt: PromptKey): Promise<number> {
      return (await stamps.findOne({ _id: stampId(prompt) }).lean())?.stamp ?? 0;
    },
    /** When an entry was last written, by the database's clock; undefined without entries. */
    async newest(prompt: PromptKey): Promise<Date | undefined> {
      const own = { ...ofPrompt(prompt), indexed_at: { $gt: new Date(0) } };
      const [last] = await index.find(own, { indexed_at: 1 }).sort({ indexed_at: -1 }).limit(1).lean();
      return last?.indexed_at;
    },
    /** Batches of entries: those written since a time of the database's clock; without it, all, by document. */
    async *entries(prompt: PromptKey, since?: Date): AsyncIterable<ResultIndexRecord[]> {
      if (since !== undefined) {
        const own = { ...ofPrompt(prompt), indexed_at: { $gte: since } };
        const cursor = index.collection.find<ResultIndexRecord>(own, { batchSize: entryBatch });
        while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
        return;
      }
      // Read by the driver alone: a table can have 100,000 entries.
      const after = async (document_id: Types.ObjectId): Promise<ResultIndexRecord[]> =>
        await index.collection
          .find<ResultIndexRecord>(
            { ...ofPrompt(prompt), document_id: { $gt: document_id } },
            { batchSize: entryBatch },
          )
          .sort({ document_id: 1 })
          .limit(entryBatch)
          .toArray();
      let next = after(new mongoose.Types.ObjectId('0'.repeat(24)));
      for (;;) {
        const batch = await next;
        if (batch.length === 0) return;
        // The database reads the next ones while the caller processes these.
        next = after(batch.at(-1)!.document_id);
        next.catch(() => undefined);
        yield batch;
      }
    },
    /** Batches of the entries of some documents. */
    async *entriesOf(prompt: PromptKey, documentIds: readonly string[]): AsyncIterable<ResultIndexRecord[]> {
      for (let at = 0; at < documentIds.length; at += namedBatch) {
        const document_id = { $in: objectIdsOf(documentIds.slice(at, at + namedBatch)) };
        yield await index.collection.find<ResultIndexRecord>({ ...ofPrompt(prompt), document_id }).toArray();
      }
    },
    /** Records that the results of a prompt are read. */
    async noteUse(prompt: PromptKey): Promise<void> {
      await stamps.updateOne({ _id: stampId(prompt) }, { $currentDate: { used_at: true } });
    },
    /** The prompts whose results were read last, of all organizations. */
    async lastUsed(since: Date, limit: number): Promise<PromptKey[]> {
      const found = await stamps
        .find({ used_at: { $gt: since } }, { _id: 1 })
        .sort({ used_at: -1 })
        .limit(limit)
        .lean();
      return found.map(({ _id }) => {
        const [organizationId = '', promptId = ''] = _id.split('/');
        return { organizationId, promptId };
      });
    },
  };
}
