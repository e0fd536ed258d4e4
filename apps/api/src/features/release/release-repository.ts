import type { DocumentRelease } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { isDue } from '../../platform/database/database-clock.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { backgroundWork } from '../../platform/jobs/background-work.ts';
import { organizationsWith } from '../../platform/leases/organizations-with.ts';
import { documentModel } from '../documents/index.ts';
import {
  dayOf,
  extractionModel,
  indexMark,
  releaseAsRead,
  releaseEventModel,
  type ExtractionRecord,
  type ReleaseChange,
  type ReleaseEventRecord,
} from '../extractions/index.ts';
import { revisionModels } from '../revisions/index.ts';
import { createWithdrawals, type ResultAsRead } from './withdrawal-repository.ts';

/** A change of a release that was published. */
export type PublishedEvent = ReleaseEventRecord;

/** The releases of results, of all organizations: jobs judge them. */
export type ReleaseRepository = ReturnType<typeof createReleases>;

/** How long a result waits that could not be judged. */
const retryMs = 60_000;
const batchSize = 100;
const maxAppliedCalls = 200;

export function createReleases(connection: Connection, emit: (event: PublishedEvent) => Promise<void>) {
  const extractions = extractionModel(connection);
  const documents = documentModel(connection);
  const events = releaseEventModel(connection);
  const { artifacts: prompts } = revisionModels(connection, 'prompt');

  /** The result as it was read: any write of it, or of its release, differs. */
  function asRead({ _id, organization_id, version, changes, release }: ResultAsRead): QueryFilter<ExtractionRecord> {
    return { _id, organization_id, version, changes, ...releaseAsRead(release ? { release } : {}) };
  }

  async function apply(
    record: ResultAsRead,
    { release, events: published }: ReleaseChange,
    callId?: string,
  ): Promise<boolean> {
    const { modifiedCount } = await extractions.updateOne(asRead(record), {
      $set: { release, release_pending: true, index_pending: indexMark().index_pending },
      $push: {
        ...(published.length > 0 && { outbox: { $each: published } }),
        ...(callId !== undefined && { applied_calls: { $each: [callId], $slice: -maxAppliedCalls } }),
      },
    });
    return modifiedCount === 1;
  }

  const withdrawals = createWithdrawals(connection, apply);

  async function pendingAmong(organization_id: ExtractionRecord['organization_id'], promptIds: readonly string[]) {
    const filter = { _id: { $in: objectIdsOf(promptIds) }, organization_id, review: 'pending' as const };
    return new Set((await prompts.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id.toHexString()));
  }

  /** The release of the document's result of each prompt, on its record: the newest, a verified one before later ones. */
  async function updateDocument({
    organization_id,
    document_id,
  }: Pick<ExtractionRecord, 'organization_id' | 'document_id'>) {
    const results = await extractions
      .find({ organization_id, document_id }, { prompt_id: 1, prompt_revid: 1, version: 1, release: 1, is_verified: 1 })
      .sort({ is_verified: 1, created_at: 1, _id: 1 })
      .lean();
    const isPending = await pendingAmong(organization_id, [...new Set(results.map(({ prompt_id }) => prompt_id))]);
    const newest = new Map<string, DocumentRelease>();
    for (const { prompt_id, prompt_revid, version, release } of results) {
      // The prompt of a pending proposal is shown with its proposal alone.
      if (isPending.has(prompt_id)) continue;
      const state = release?.state ?? 'open';
      newest.set(prompt_id, { prompt_id, prompt_revid: prompt_revid.toHexString(), version, state });
    }
    await documents.updateOne({ _id: document_id, organization_id }, { $set: { releases: [...newest.values()] } });
  }

  async function publish(result: Pick<ExtractionRecord, '_id' | 'organization_id' | 'document_id' | 'prompt_id'>) {
    const { organization_id, document_id } = result;
    // Before the release of the newer one is told: who keeps one result for each document removes none but the former.
    for (const former of await withdrawals.superseded(result)) await publishEvents(former);
    const isReleased = await publishEvents(result);
    if (isReleased) await withdrawals.replaced({ organization_id, document_id }, result.prompt_id);
    await updateDocument({ organization_id, document_id });
  }

  /** Publishes the changes of one result. Returns whether it is released. */
  async function publishEvents({
    _id,
    organization_id,
    document_id,
  }: Pick<ExtractionRecord, '_id' | 'organization_id' | 'document_id'>): Promise<boolean> {
    const found = await extractions
      .findOne({ _id, organization_id }, { outbox: 1, prompt_id: 1, prompt_revid: 1, release: 1 })
      .lean();
    for (const { id, ...event } of found?.outbox ?? []) {
      const { prompt_id, prompt_revid } = found!;
      const published = {
        _id: id,
        organization_id,
        document_id,
        prompt_id,
        prompt_revid: prompt_revid.toHexString(),
        day: dayOf(event.at),
        ...event,
      };
      await events.updateOne({ _id: id }, { $setOnInsert: published }, { upsert: true });
      await emit(published);
      await extractions.updateOne({ _id, organization_id }, { $pull: { outbox: { id } } });
    }
    return found?.release?.state === 'released';
  }

  async function publishRemoved(of: QueryFilter<ReleaseEventRecord> = {}): Promise<void> {
    for (;;) {
      const found = await events
        .find({ ...of, is_pending: true })
        .sort({ at: 1 })
        .limit(batchSize)
        .lean();
      for (const event of found) {
        await emit(event);
        await events.updateOne({ _id: event._id }, { $unset: { is_pending: 1 } });
      }
      if (found.length < batchSize) return;
    }
  }

  const due = () => ({
    release_pending: true as const,
    $or: [{ release_retry_at: null }, ...isDue('release_retry_at', 2 * retryMs)],
  });

  return {
    /** Applies a change if the result is still as it was read. */
    apply,
    /** Publishes the events of a result, each once, and updates the lists of its document. */
    publish,
    /** Publishes the events of results that were removed. */
    publishRemoved: (): Promise<void> => publishRemoved(),
    /** The organizations that have results whose release is to be judged, in turns. */
    organizations: (): AsyncIterable<Types.ObjectId> => organizationsWith(extractions.collection, due()),
    /** Results of an organization whose release is to be judged: the longest unchanged, or the latest. A damaged time is no date. */
    pending: (
      organization_id: Types.ObjectId,
      limit: number,
      order: 'oldest' | 'latest' = 'oldest',
    ): Promise<ExtractionRecord[]> =>
      extractions.collection
        .find<ExtractionRecord>({ ...due(), organization_id })
        .sort(order === 'oldest' ? { changed_at: 1, _id: 1 } : { changed_at: -1, _id: -1 })
        .limit(limit)
        .toArray(),
    /** A result could not be judged: it is pending again after a while, so that it does not block the others. */
    async postpone({ _id, organization_id }: ExtractionRecord): Promise<void> {
      const release_retry_at = new Date(Date.now() + retryMs);
      await extractions.updateOne({ _id, organization_id }, { $set: { release_retry_at, release_pending: true } });
      backgroundWork()?.againIn?.(retryMs);
    },
    withdrawLeftInTrash: withdrawals.leftInTrash,
    /** Requests a judgement of the results of a document. */
    async rejudgeDocument(organizationId: string, documentId: string): Promise<void> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const own = { organization_id, document_id: objectIdOf(documentId) ?? null };
      await extractions.updateMany(own as QueryFilter<ExtractionRecord>, { $set: { release_pending: true } });
    },
    async get(organizationId: string, documentId: string, promptRevid: string): Promise<ExtractionRecord | undefined> {
      const [document_id, prompt_revid] = [objectIdOf(documentId), objectIdOf(promptRevid)];
      if (!document_id || !prompt_revid) return undefined;
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      return (await extractions.findOne({ organization_id, document_id, prompt_revid }).lean()) ?? undefined;
    },
    /** Whether no other revision of its prompt has a newer result on the document, and the document is not in the trash. */
    async isCurrent({ _id, organization_id, document_id, prompt_id }: ExtractionRecord): Promise<boolean> {
      const newest = await extractions
        .findOne({ organization_id, document_id, prompt_id }, { _id: 1 })
        .sort({ created_at: -1, _id: -1 })
        .lean();
      if (newest === null || !newest._id.equals(_id)) return false;
      return (await documents.exists({ _id: document_id, organization_id, deleted_at: null })) !== null;
    },
    /** Whether a user has verified the document's result of another revision: a policy releases no other values instead. */
    async hasOtherVerified({ _id, organization_id, document_id, prompt_id }: ExtractionRecord): Promise<boolean> {
      const other = { organization_id, document_id, prompt_id, is_verified: true, _id: { $ne: _id } };
      return (await extractions.exists(other)) !== null;
    },
    /** Marks a result as judged, if it is still as it was read. */
    async markJudged(record: ExtractionRecord): Promise<void> {
      const { release_pending: _pending, ...read } = record;
      await extractions.updateOne(
        { ...asRead(read), 'outbox.0': { $exists: false } },
        { $unset: { release_pending: 1, release_retry_at: 1 } },
      );
    },
    /** Withdraws all released results of documents. */
    withdrawTrashed: async (organizationId: string, documentIds: readonly string[]): Promise<void> =>
      withdrawals.trashed(new mongoose.Types.ObjectId(organizationId), objectIdsOf(documentIds)),
    async remove(organizationId: string, documentId: string): Promise<void> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const own = { organization_id, document_id: new mongoose.Types.ObjectId(documentId) };
      await publishRemoved(own);
      await events.deleteMany(own);
    },
  };
}
