import mongoose, { type Connection, type QueryFilter, type Types, type UpdateQuery } from 'mongoose';
import { ignoreDuplicateKey } from '../../platform/database/connection.ts';
import {
  beingPurged,
  createProtection,
  documentModel,
  type DocumentRecord,
  inTrash,
  outOfTrash,
} from '../documents/index.ts';
import {
  bulkChangeModel,
  bulkUndoPeriodMs,
  type BulkChangeRecord,
  type BulkRecord,
  type UndoConflict,
} from './bulk-model.ts';
import type { ChunkOutcome } from './bulk-repository.ts';
import { createDecidedTags } from './decided-tags-repository.ts';

interface BulkWriteOptions {
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
}

/** The actions that only change document records. */
export type RecordAction = 'tag' | 'untag' | 'delete' | 'restore';

/** Rejects if the job's lease is lost. Awaited right before each write to documents, which name no fencing token. */
type RequireHeld = () => Promise<void>;

/** The writes of bulk jobs, with few commands for each chunk of documents. Each step can be repeated after a crash. */
export type BulkWriteRepository = ReturnType<typeof createBulkWriteRepository>;

type Change = Pick<BulkChangeRecord, 'document_id' | 'tag_ids' | 'trashed'>;

const chunkSize = 500;
const maxAppliedCalls = 200;
const notFound = { code: 'document_not_found', message: 'The document no longer exists.' };
export const notInTrash = { code: 'document_not_found', message: 'The document is not in the trash.' };
const purged = 'The document was removed for good.';

export function createBulkWriteRepository(connection: Connection, { missingTags }: BulkWriteOptions) {
  const documents = documentModel(connection);
  const changes = bulkChangeModel(connection);
  const decidedSince = createDecidedTags(connection);
  const protectionOf = createProtection(connection);

  /** Writes once to each document, even if the chunk is repeated. */
  async function write(
    { organization_id }: BulkRecord,
    ids: Types.ObjectId[],
    only: QueryFilter<DocumentRecord>,
    mark: string,
    update: UpdateQuery<DocumentRecord>,
    requireHeld: RequireHeld,
  ): Promise<void> {
    if (ids.length === 0) return;
    await requireHeld();
    await documents.updateMany(
      { ...only, _id: { $in: ids }, organization_id, applied_calls: { $ne: mark } },
      {
        ...update,
        $inc: { changes: 1 },
        $push: { applied_calls: { $each: [mark], $slice: -maxAppliedCalls } },
      },
    );
  }

  /** The ids of those tags that no longer exist. */
  async function findDeletedTags({ organization_id }: BulkRecord, ids: Types.ObjectId[]): Promise<Set<string>> {
    const distinct = [...new Set(ids.map(String))];
    return new Set(distinct.length === 0 ? [] : await missingTags(organization_id.toHexString(), distinct));
  }

  async function note(bulk: BulkRecord, noted: Change[]): Promise<Types.ObjectId[]> {
    const { _id: bulk_id, organization_id } = bulk;
    const expires_at = new Date(Date.now() + bulkUndoPeriodMs);
    const shared = { organization_id, bulk_id, undone: false, at: new Date(), expires_at };
    const records = noted.map((change) => ({ ...change, ...shared }));
    // A note of an earlier attempt stays: it has the state before the first write.
    await changes.insertMany(records, { ordered: false }).catch(ignoreDuplicateKey);
    return noted.map(({ document_id }) => document_id);
  }

  async function restoreFromTrash(
    bulk: BulkRecord,
    found: DocumentRecord[],
    mark: string,
    requireHeld: RequireHeld,
  ): Promise<void> {
    const deleted = await findDeletedTags(
      bulk,
      found.flatMap(({ tag_ids }) => tag_ids),
    );
    const $in = [...deleted].map((tag) => new mongoose.Types.ObjectId(tag));
    await write(
      bulk,
      found.map(({ _id }) => _id),
      inTrash(bulk.organization_id),
      mark,
      { $set: outOfTrash, ...($in.length > 0 && { $pull: { tag_ids: { $in } } }) },
      requireHeld,
    );
  }

  return {
    /** Notes the state of these documents and applies the action to them. */
    async apply(
      bulk: BulkRecord,
      action: RecordAction,
      ids: Types.ObjectId[],
      requireHeld: RequireHeld,
    ): Promise<ChunkOutcome> {
      const { organization_id, tag_ids } = bulk;
      const mark = markOf(bulk);
      const all = { _id: { $in: ids }, organization_id };
      const live = { ...all, deleted_at: null };
      const missing = (found: { _id: Types.ObjectId }[], reason: typeof notFound) => {
        const known = new Set(found.map(({ _id }) => _id.toHexString()));
        return ids
          .map((id) => id.toHexString())
          .filter((id) => !known.has(id))
          .map((document_id) => ({ document_id, ...reason }));
      };
      const earlier = await changes.distinct('document_id', { bulk_id: bulk._id, document_id: { $in: ids } });

      if (action === 'tag' || action === 'untag') {
        const found = await documents.find(live, { tag_ids: 1 }).lean();
        const concerned = found.flatMap(({ _id, tag_ids: present }) => {
          const has = new Set(present.map(String));
          const changed = tag_ids.filter((tag) => has.has(tag.toHexString()) === (action === 'untag'));
          return changed.length === 0 ? [] : [{ document_id: _id, tag_ids: changed }];
        });
        const noted = await note(bulk, concerned);
        if (action === 'tag') await protectionOf(organization_id.toHexString()).protect(noted, tag_ids.map(String));
        const update =
          action === 'tag'
            ? { $addToSet: { tag_ids: { $each: tag_ids } }, $set: { arrival_due: true as const } }
            : { $pull: { tag_ids: { $in: tag_ids } } };
        await write(bulk, noted, { deleted_at: null }, mark, update, requireHeld);
        const changed = new Set([...noted, ...earlier].map(String)).size;
        const failures = missing(found, notFound);
        return { succeeded: found.length, unchanged: Math.max(found.length - changed, 0), failures };
      }

      if (action === 'delete') {
        const found = await documents.find(live, { _id: 1 }).lean();
        const noted = await note(
          bulk,
          found.map(({ _id }) => ({ document_id: _id })),
        );
        const $set = { deleted_at: new Date(), deleted_by: bulk.requested_by, deleted_by_call: mark };
        await write(bulk, noted, { deleted_at: null }, mark, { $set }, requireHeld);
        const deleted = await documents.find({ ...all, deleted_by_call: mark }, { _id: 1 }).lean();
        return { succeeded: deleted.length, unchanged: 0, failures: missing(deleted, notFound) };
      }

      const found = await documents.find({ ...all, ...inTrash(organization_id) }).lean();
      await note(bulk, found.map(trashedChange));
      await restoreFromTrash(bulk, found, mark, requireHeld);
      const back = await documents.find({ ...live, applied_calls: mark }, { _id: 1 }).lean();
      return { succeeded: back.length, unchanged: 0, failures: missing(back, notInTrash) };
    },

    /** The next changes of the job that are not undone, after `last`. */
    async changes(bulk: BulkRecord, last: Types.ObjectId | undefined): Promise<BulkChangeRecord[]> {
      const after = last === undefined ? {} : { document_id: { $gt: last } };
      return await changes
        .find({ bulk_id: bulk._id, undone: false, ...after })
        .sort({ document_id: 1 })
        .limit(chunkSize)
        .lean();
    },

    /** Undoes these changes. Changes with a conflict stay and can be tried again. */
    async undo(
      bulk: BulkRecord,
      action: RecordAction,
      noted: BulkChangeRecord[],
      requireHeld: RequireHeld,
    ): Promise<{ undone: number; conflicts: UndoConflict[] }> {
      const { organization_id } = bulk;
      const mark = `undo:${markOf(bulk)}`;
      const ids = noted.map(({ document_id }) => document_id);
      const notPurged = { $or: [{ deleted_at: null }, { deleted_at: { $gt: beingPurged } }] };
      const found = new Map(
        (await documents.find({ _id: { $in: ids }, organization_id, ...notPurged }).lean()).map((record) => [
          record._id.toHexString(),
          record,
        ]),
      );
      const conflicts: UndoConflict[] = [];
      const conflict = (document_id: Types.ObjectId, what: string, record?: DocumentRecord) =>
        conflicts.push({
          document_id: document_id.toHexString(),
          what,
          changed_by: record?.deleted_by?.toHexString() ?? null,
          changed_at: record?.deleted_at ?? null,
        });
      const present = noted.filter(({ document_id }) => {
        if (found.has(document_id.toHexString())) return true;
        conflict(document_id, purged);
        return false;
      });

      if (action === 'tag' || action === 'untag') {
        const deleted =
          action === 'untag'
            ? await findDeletedTags(
                bulk,
                present.flatMap(({ tag_ids = [] }) => tag_ids),
              )
            : new Set<string>();
        const decided = await decidedSince(bulk, action, present);
        const undecided = present.filter(({ document_id }) => !decided.has(document_id.toHexString()));
        for (const { document_id } of present) {
          if (decided.has(document_id.toHexString())) conflict(document_id, 'A user has decided about the tag since.');
        }
        const groups = Map.groupBy(undecided, ({ tag_ids = [] }) => tag_ids.map(String).toSorted().join());
        for (const group of groups.values()) {
          const tag_ids = group[0]?.tag_ids ?? [];
          const existing = tag_ids.filter((tag) => !deleted.has(tag.toHexString()));
          const update =
            action === 'tag'
              ? { $pull: { tag_ids: { $in: existing } } }
              : { $addToSet: { tag_ids: { $each: existing } } };
          const documentIds = group.map(({ document_id }) => document_id);
          if (action === 'untag') {
            await protectionOf(organization_id.toHexString()).protect(documentIds, existing.map(String));
          }
          if (existing.length > 0) await write(bulk, documentIds, {}, mark, update, requireHeld);
          if (existing.length === tag_ids.length) continue;
          for (const id of documentIds) conflict(id, 'A tag of the document has been deleted.');
        }
      } else if (action === 'delete') {
        const trashed: DocumentRecord[] = [];
        for (const record of found.values()) {
          if (record.deleted_by_call === markOf(bulk)) trashed.push(record);
          else if (record.deleted_at) conflict(record._id, 'The document was deleted again.', record);
        }
        await restoreFromTrash(bulk, trashed, mark, requireHeld);
      } else {
        const restored = present.flatMap(({ document_id, trashed }) =>
          trashed && !found.get(document_id.toHexString())?.deleted_at ? [{ document_id, trashed }] : [],
        );
        if (restored.length > 0) {
          await requireHeld();
          await documents.bulkWrite(
            restored.map(({ document_id, trashed }) => ({
              updateOne: {
                filter: { _id: document_id, organization_id, deleted_at: null },
                update: { $set: trashed, $inc: { changes: 1 } },
              },
            })),
          );
        }
      }

      const inConflict = new Set(conflicts.map(({ document_id }) => document_id));
      const undone = noted.filter(({ document_id }) => !inConflict.has(document_id.toHexString()));
      await changes.updateMany({ _id: { $in: undone.map(({ _id }) => _id) } }, { $set: { undone: true } });
      return { undone: undone.length, conflicts };
    },
  };
}

/** Identifies the writes of this job in `applied_calls`, like the id of an agent's call. */
const markOf = ({ _id }: BulkRecord) => `bulk:${_id.toHexString()}`;

function trashedChange({ _id, deleted_at, deleted_by, deleted_by_call }: DocumentRecord): Change {
  const trashed = { deleted_at: deleted_at ?? new Date(), deleted_by: deleted_by ?? null, deleted_by_call };
  return { document_id: _id, trashed };
}
