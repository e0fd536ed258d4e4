import { DomainError } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';

/** Whether the endpoint of a call keeps what it gets in the house. */
export type IsLocal = () => boolean | Promise<boolean>;

/**
 * Throws `never_to_model` if a call is about a document that no model may see, unless its endpoint is local. `labels` are
 * read only if the organization has such documents.
 */
export type RefuseKept = (organizationId: string, labels: () => Iterable<string>, isLocal: IsLocal) => Promise<void>;

export function createKeptDocuments(connection: Connection): RefuseKept {
  const model = documentModel(connection);
  return async (organizationId, labels, isLocal) => {
    if (!mongoose.isObjectIdOrHexString(organizationId)) return;
    const kept = { never_to_model_in: new mongoose.Types.ObjectId(organizationId) };
    if ((await model.exists(kept)) === null) return;
    const named = objectIdsOf([...labels()]);
    if (named.length === 0 || (await model.exists({ ...kept, _id: { $in: named } })) === null) return;
    if (!(await isLocal())) throw neverToModel();
  };
}

function neverToModel(): DomainError {
  const message =
    'No model may see this document. An admin can clear never_to_model, or mark an endpoint in the house as is_local.';
  return new DomainError('conflict', 'never_to_model', message);
}
