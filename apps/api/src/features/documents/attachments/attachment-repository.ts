import mongoose, { type Connection, type Types } from 'mongoose';
import type { Document } from '@docwright/contract';
import { newId, objectIdsOf } from '../../../platform/database/object-id.ts';
import { outboxEvent } from '../../event-log/index.ts';
import { beingPurged, documentModel, outOfTrash, type DocumentRecord } from '../records/document-model.ts';
import { presentDocument } from '../records/document-presentation.ts';
import { protectContents } from '../records/protection-repository.ts';

/** A stored file of another document. */
interface AttachedFile {
  /** Its place among the files of that document, from 0. */
  index: number;
  document_name: string;
  mime_type: string;
  size_bytes: number;
  file_id: string;
  sha256: string;
  is_own?: true;
}

/** The documents of one organization that were files of others: the attachments of mails, the files of archives. */
export type AttachmentRepository = ReturnType<ReturnType<typeof createAttachmentRepositories>>;

export function createAttachmentRepositories(connection: Connection) {
  const model = documentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /** Whether the file of this document was made a document before. */
      async exists(parentId: string, index: number): Promise<boolean> {
        return (await model.exists({ organization_id, attachment_key: keyOf(parentId, index) })) !== null;
      },
      /**
       * Makes the file a document. It gets the tags, the metadata, the uploader, the protection from models and the requested
       * proposal of the other. Undefined if that document no longer exists.
       */
      async insert(parentId: string, { index, ...file }: AttachedFile): Promise<Document | undefined> {
        const parent = await model.findOne({ _id: { $in: objectIdsOf([parentId]) }, organization_id }).lean();
        if (parent === null) return undefined;
        const [record] = await model.insertMany([{ ...file, ...recordInside(parent, index) }]);
        // It can have been protected meanwhile.
        const isProtected = await model.exists({
          _id: parent._id,
          organization_id,
          never_to_model_in: organization_id,
        });
        if (isProtected) await protectContents(model, organization_id, parent._id);
        return record && presentDocument(record.toObject());
      },
      /** These documents were moved to the trash: moves all that is inside of them there too. Returns the ids. */
      async trash(ids: readonly string[]): Promise<string[]> {
        const found: string[] = [];
        for (const id of ids) {
          const [parent] = await model.find({ _id: { $in: objectIdsOf([id]) }, organization_id }).lean();
          if (!parent?.deleted_at) continue;
          const inside = { organization_id, attached_path: parent._id, deleted_at: null };
          const children = await model.find(inside, { _id: 1 }).lean();
          const { deleted_at, deleted_by, deleted_by_call } = parent;
          await model.updateMany(
            { ...inside, _id: { $in: children.map(({ _id }) => _id) } },
            { $set: { deleted_at, deleted_by, deleted_by_call, deleted_with: parent._id }, $inc: { changes: 1 } },
          );
          found.push(...children.map(({ _id }) => _id.toHexString()));
        }
        return found;
      },
      /** Restores what went to the trash with a document that has been restored. */
      async restore(): Promise<void> {
        const waiting = { organization_id, deleted_with: { $ne: null }, deleted_at: { $gt: beingPurged } };
        const parents: Types.ObjectId[] = await model.distinct('deleted_with', waiting);
        if (parents.length === 0) return;
        const restored = await model
          .find({ _id: { $in: parents }, organization_id, deleted_at: null }, { _id: 1 })
          .lean();
        await model.updateMany(
          { ...waiting, deleted_with: { $in: restored.map(({ _id }) => _id) } },
          { $set: outOfTrash, $inc: { changes: 1 } },
        );
      },
    };
  };
}

const keyOf = (parentId: string, index: number) => `${parentId}/${index}`;

function recordInside(parent: DocumentRecord, index: number) {
  const {
    _id,
    organization_id,
    tag_ids,
    metadata,
    uploaded_by,
    never_to_model_in,
    shown_despite,
    include_attachments,
  } = parent;
  return {
    _id: new mongoose.Types.ObjectId(),
    organization_id,
    tag_ids,
    metadata,
    uploaded_by,
    ...(never_to_model_in && { never_to_model_in }),
    ...(shown_despite && { shown_despite }),
    ...(include_attachments === false && { include_attachments }),
    ...(parent.auto_create_request && { auto_create_request: { ...parent.auto_create_request, run_id: newId() } }),
    attached_to: _id,
    attached_path: [...(parent.attached_path ?? []), _id],
    attachment_key: keyOf(_id.toHexString(), index),
    state: 'uploaded' as const,
    event_outbox: [outboxEvent('document.created')],
    routing_due: true as const,
    upload_date: new Date(),
  };
}
