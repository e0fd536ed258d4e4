import { DomainError } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel, type DocumentRecord } from '../documents/index.ts';
import { extractionModel } from '../extractions/index.ts';

/** The number of documents that an error names. */
const maxNamed = 100;

/** The documents that an undo removes. */
type Removed =
  /** Those that a split of these calls created, or the uploaded one. */
  | { callIds: readonly string[]; uploadedId?: string | undefined }
  /** Those that a job restored. */
  | { restoredIds: readonly string[] };

/**
 * Throws `documents_verified` if an undo would remove documents with results that users have verified, or such ones that
 * are attached to them.
 */
export type RequireUnverified = (organizationId: string, removed: Removed) => Promise<void>;

const batchSize = 1_000;

export function createRequireUnverified(connection: Connection): RequireUnverified {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);

  async function verifiedAmong(
    organization_id: Types.ObjectId,
    selected: QueryFilter<DocumentRecord>,
  ): Promise<{ document_id: string; document_name: string }[]> {
    const find = (filter: QueryFilter<DocumentRecord>) =>
      documents
        .find({ organization_id, deleted_at: null, ...filter }, { document_name: 1 })
        .sort({ _id: 1 })
        .lean();
    const removed = await find(selected);
    if (removed.length === 0) return [];
    // What is inside of them goes to the trash with them.
    const inside = await find({ attached_path: { $in: removed.map(({ _id }) => _id) } });
    const found = [...removed, ...inside];
    const document_id = { $in: found.map(({ _id }) => _id) };
    const ids = await extractions.distinct('document_id', { organization_id, document_id, is_verified: true });
    const named = new Set(ids.map(String));
    return found
      .filter(({ _id }) => named.has(_id.toHexString()))
      .map(({ _id, document_name }) => ({ document_id: _id.toHexString(), document_name }));
  }

  return async (organizationId, removed) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const named: { document_id: string; document_name: string }[] = [];
    if ('restoredIds' in removed) {
      const ids = objectIdsOf(removed.restoredIds);
      for (let at = 0; at < ids.length; at += batchSize) {
        const _id = { $in: ids.slice(at, at + batchSize) };
        named.push(...(await verifiedAmong(organization_id, { _id })));
      }
    } else {
      const { callIds, uploadedId } = removed;
      const created =
        uploadedId === undefined
          ? { applied_calls: { $in: [...callIds] }, split_group: { $exists: true } }
          : { _id: { $in: objectIdsOf([uploadedId]) } };
      named.push(...(await verifiedAmong(organization_id, created)));
    }
    if (named.length > 0) throw verifiedResults(named);
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
