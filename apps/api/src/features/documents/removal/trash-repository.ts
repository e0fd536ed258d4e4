import { trashDays, type Document, type TrashedDocument, type TrashListQuery } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { withCalls } from '../../../turn-writes/write-origin.ts';
import type { NoteWrite } from '../../audit/index.ts';
import { readPage, type PageEnd } from '../../../platform/database/page.ts';
import { beingPurged, documentModel, inTheTrash, outOfTrash, type DocumentRecord } from '../records/document-model.ts';
import { documentQuery } from '../records/document-query-repository.ts';
import { presentDocument } from '../records/document-presentation.ts';
import type { DeletedDocument } from './leftover-repository.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';

/** How long a deleted document can be restored. */
export const trashRetentionMs = trashDays * 24 * 60 * 60 * 1000;

/** The trash of one organization: documents deleted within 30 days. */
export type TrashRepository = ReturnType<ReturnType<typeof createTrashRepositories>>;

interface TrashRepositoryOptions {
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
}

/** Selects the documents in the trash of an organization. */
export function inTrash(organization_id: Types.ObjectId): QueryFilter<DocumentRecord> {
  return { organization_id, ...inTheTrash };
}

export function createTrashRepositories(connection: Connection, { missingTags }: TrashRepositoryOptions) {
  const model = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const all = inTrash(organization_id);
    const deletedDocument = ({ _id, file_id }: DocumentRecord): DeletedDocument => ({
      organizationId,
      documentId: _id.toHexString(),
      fileId: file_id.toHexString(),
    });
    const one = (id: string): QueryFilter<DocumentRecord> => ({ ...all, _id: objectIdOf(id) ?? null });
    return {
      async list({
        sort = 'deleted_at',
        ...query
      }: TrashListQuery): Promise<PageEnd & { documents: TrashedDocument[] }> {
        const selected = documentQuery(all, { ...query, sort, include_replaced: true }, connection);
        const { records, end } = await readPage(model, selected.filter, { ...query, sort: selected.sort });
        return { documents: presentEach(records, presentTrashed), ...end };
      },
      /** The document, and the call of an agent that moved it to the trash. */
      async byCall(id: string): Promise<{ document: Document; callId: string } | undefined> {
        const found = await model.findOne(one(id)).lean();
        const callId = found?.deleted_by_call;
        return found && callId ? { document: presentDocument(found), callId } : undefined;
      },
      /** Restores the document without tags that no longer exist. Undefined if it is not in the trash. */
      async restore(id: string, note?: NoteWrite): Promise<Document | undefined> {
        const found = await model.findOne(one(id)).lean();
        if (found === null) return undefined;
        const noted = await note?.({ kind: 'document' });
        const tags = found.tag_ids.map((tag) => tag.toHexString());
        const missing = new Set(await missingTags(organizationId, tags));
        const tag_ids = found.tag_ids.filter((tag) => !missing.has(tag.toHexString()));
        const record = await model
          .findOneAndUpdate(
            one(id),
            { $set: { ...outOfTrash, tag_ids }, $inc: { changes: 1 }, ...withCalls(noted?.callIds) },
            { returnDocument: 'after' },
          )
          .lean();
        return record === null ? undefined : presentDocument(record);
      },
      /** Makes the document unrestorable before its removal. Undefined if it is not in the trash. */
      async takeForPurge(id: string, note?: NoteWrite): Promise<DeletedDocument | undefined> {
        if (note && (await model.exists(one(id))) === null) return undefined;
        const noted = await note?.({ kind: 'purge', recordId: id });
        const record = await model
          .findOneAndUpdate(one(id), { $set: { deleted_at: beingPurged }, $inc: { changes: 1 } })
          .lean();
        if (record === null) {
          // Another request has taken it.
          await noted?.withdraw();
          return undefined;
        }
        return deletedDocument(record);
      },
      /** Whether it was removed for good, or is being removed. */
      async isGone(id: string): Promise<boolean> {
        const isThere = [{ deleted_at: null }, { deleted_at: { $gt: beingPurged } }];
        return (await model.exists({ organization_id, _id: objectIdOf(id) ?? null, $or: isThere })) === null;
      },
      /** The same for all that went to the trash with the document. */
      async takeAttached(id: string): Promise<DeletedDocument[]> {
        const attached = { organization_id, deleted_with: objectIdOf(id) ?? null, deleted_at: { $ne: null } };
        await model.updateMany(attached, { $set: { deleted_at: beingPurged }, $inc: { changes: 1 } });
        return (await model.find(attached).lean()).map(deletedDocument);
      },
    };
  };
}

function presentTrashed(record: DocumentRecord): TrashedDocument {
  const deletedAt = record.deleted_at ?? beingPurged;
  return {
    ...presentDocument(record),
    deleted_at: deletedAt.toISOString(),
    deleted_by: record.deleted_by?.toHexString() ?? null,
    purge_at: new Date(deletedAt.getTime() + trashRetentionMs).toISOString(),
  };
}
