import mongoose, { type Connection } from 'mongoose';
import { createWrittenRecords } from '../../turn-writes/written-record-repository.ts';
import type { UndoableRecords } from '../../turn-writes/undoable-records.ts';
import { createAttachmentRepositories } from './attachments/attachment-repository.ts';
import { documentModel, nameKeyOf, outOfTrash, type DocumentRecord } from './records/document-model.ts';
import { createProtection } from './records/protection-repository.ts';
import type { DocumentBefore } from './records/document-repository.ts';

interface DocumentUndoOptions {
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
}

/** What the product writes without counting a change, and what follows from other fields. */
const notCounted: readonly (keyof DocumentRecord)[] = [
  'arrival_due',
  'arrivals',
  'attempts',
  'auto_create',
  'auto_create_request',
  'claim',
  'duplicate_of',
  'event_outbox',
  'is_own',
  'machine_data',
  'missing_since',
  'model_lease_until',
  'model_run_prompts',
  'model_runs',
  'name_parts',
  // What keeps a document from models stays: it can have begun meanwhile.
  'never_to_model_in',
  'ocr_turn',
  'page_count',
  'pages_done',
  'read_first_in',
  'reading_lane',
  'releases',
  'replaced_before',
  'replaced_by',
  'replaced_in',
  'replaces',
  'review',
  'review_writes',
  'route_arrival',
  'routing_due',
  'routing_judged',
  'shown_despite',
  'signatures',
  'size_bytes',
  'sha256',
  'stage',
  'state',
  'state_error',
  'unread',
];

/** Undoes writes on documents, including deletions: a deleted document is still in the trash. */
export function createDocumentUndo(
  connection: Connection,
  { missingTags }: DocumentUndoOptions,
): (organizationId: string) => UndoableRecords {
  const model = documentModel(connection);
  const protectionOf = createProtection(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const written = createWrittenRecords(connection, organizationId, {
      collection: model.collection.name,
      leaves: notCounted,
      notedAs: 'applied_calls',
      nameOf: ({ document_name }) => `document “${document_name}”`,
    });
    return {
      ...written,
      finish: () => createAttachmentRepositories(connection)(organizationId).restore(),
      async obstacles({ before }, isUndone) {
        const { tag_ids, document_name } = before as DocumentBefore;
        const missing = await missingTags(organizationId, tag_ids);
        return missing.every((id) => isUndone('tag', id))
          ? []
          : [`a tag that the document “${document_name}” carried has been deleted`];
      },
      async restore({ id, before, changes, base, origin }) {
        const own = { _id: new mongoose.Types.ObjectId(id), organization_id };
        const found = await model.findOne(own).lean();
        if (found === null) return false;
        if (found.applied_calls.includes(origin.call_id)) return true;
        const { document_name, tag_ids, metadata, routing } = before as DocumentBefore;
        await protectionOf(organizationId).protect([found._id], tag_ids);
        const set = {
          // Where a user sent it is part of the write that gave it what the route gives.
          ...(routing && { routing }),
          document_name,
          name_key: nameKeyOf(document_name),
          tag_ids: tag_ids.map((tagId) => new mongoose.Types.ObjectId(tagId)),
          metadata,
          ...outOfTrash,
          changes: base,
        };
        const { matchedCount } = await model.updateOne(
          { ...own, changes },
          { $set: set, $push: { applied_calls: origin.call_id } },
        );
        // Another attempt of the same undo might have been faster.
        return matchedCount === 1 || (await model.exists({ ...own, applied_calls: origin.call_id })) !== null;
      },
    };
  };
}
