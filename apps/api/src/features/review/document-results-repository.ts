import type { DocumentResults } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { extractionModel } from '../extractions/index.ts';
import { countOpen, reviewQueueModel } from './review-queue-model.ts';

/** Reads how many values of documents are to check, from the review queue, and which documents have a verified result. */
export function createDocumentResults(
  connection: Connection,
): (organizationId: string, documentIds: readonly string[]) => Promise<Map<string, DocumentResults>> {
  const queue = reviewQueueModel(connection);
  const extractions = extractionModel(connection);
  return async (organizationId, documentIds) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const own = { organization_id, document_id: { $in: objectIdsOf(documentIds) } };
    const [entries, results] = await Promise.all([
      queue.collection.find(own, { projection: { document_id: 1, open: 1 } }).toArray(),
      extractions.find(own, { document_id: 1, is_verified: 1 }).lean(),
    ]);
    const found = new Map<string, DocumentResults>();
    for (const { document_id, is_verified } of results) {
      const id = document_id.toHexString();
      found.set(id, { to_check: 0, is_verified: is_verified || (found.get(id)?.is_verified ?? false) });
    }
    for (const { document_id, open } of entries) {
      const result = found.get(String(document_id));
      if (result) result.to_check += countOpen(Buffer.from((open as mongoose.mongo.Binary).buffer), {}).count;
    }
    return found;
  };
}
