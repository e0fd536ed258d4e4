import type { Model, Types } from 'mongoose';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import type { DocumentRecord } from './document-model.ts';

/**
 * So many documents of one user are read before what comes in large numbers. Programs, and files that a person chose
 * in large numbers, fill half of the places, so that there is one for what the same user uploads beside them.
 */
const maxReadFirst = { byHand: 20, inNumbers: 10 };

/** How many of new documents are read first: of those that a user uploads, while few of the same user's wait. */
export async function countReadFirst(
  model: Model<DocumentRecord>,
  organizationId: Types.ObjectId,
  documents: readonly { uploaded_by: string; source_id?: string }[],
  uploader: keyof typeof maxReadFirst = 'byHand',
): Promise<number> {
  const [first] = documents;
  if (first === undefined || documents.some(({ source_id }) => source_id !== undefined)) return 0;
  const waiting = {
    organization_id: organizationId,
    read_first_in: organizationId,
    uploaded_by: { $in: objectIdsOf([first.uploaded_by]) },
  };
  const found = await readTogether(model, waiting, { projection: { _id: 1 }, limit: maxReadFirst[uploader] });
  return maxReadFirst[uploader] - found.length;
}
