import { DomainError } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import { extractionModel } from '../extractions/index.ts';

/** The number of documents that an error names. */
const maxNamed = 100;

/**
 * Throws `documents_verified` if an undo would remove documents with results that users have verified: those that a split
 * of these calls created, the uploaded document, and all that is attached to them.
 */
export type RequireUnverified = (
  organizationId: string,
  undone: { callIds: readonly string[]; uploadedId?: string | undefined },
) => Promise<void>;

export function createRequireUnverified(connection: Connection): RequireUnverified {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  return async (organizationId, { callIds, uploadedId }) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const created: QueryFilter<unknown> =
      uploadedId === undefined
        ? { applied_calls: { $in: [...callIds] }, split_group: { $exists: true } }
        : { _id: { $in: objectIdsOf([uploadedId]) } };
    const present = { organization_id, deleted_at: null };
    const removed = await documents
      .find({ ...present, ...created }, { document_name: 1 })
      .sort({ _id: 1 })
      .lean();
    if (removed.length === 0) return;
    // What is inside of them goes to the trash with them.
    const attached_path = { $in: removed.map(({ _id }) => _id) };
    const inside = await documents
      .find({ ...present, attached_path }, { document_name: 1 })
      .sort({ _id: 1 })
      .lean();
    const found = [...removed, ...inside];
    const document_id = { $in: found.map(({ _id }) => _id) };
    const verified = await extractions.distinct('document_id', { organization_id, document_id, is_verified: true });
    if (verified.length === 0) return;
    const ids = new Set(verified.map(String));
    const named = found
      .filter(({ _id }) => ids.has(_id.toHexString()))
      .map(({ _id, document_name }) => ({ document_id: _id.toHexString(), document_name }));
    throw verifiedResults(named);
  };
}

function verifiedResults(documents: readonly { document_name: string }[]): DomainError {
  const names = documents.slice(0, 3).map(({ document_name }) => `"${document_name}"`);
  const more = documents.length > names.length ? ` and ${documents.length - names.length} more` : '';
  return new DomainError(
    'conflict',
    'documents_verified',
    `A user has verified the result of ${names.join(', ')}${more}, and the undo moves it to the trash. Send including_verified: true to undo it anyway.`,
    { documents: documents.slice(0, maxNamed), count: documents.length },
  );
}
