import { isDeepStrictEqual } from 'node:util';
import type { DocumentResults } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { documentModel } from '../documents/index.ts';
import { createIncompleteResults, extractionModel } from '../extractions/index.ts';
import { countOpen, reviewQueueModel } from './review-queue-model.ts';

const maxAttempts = 20;

/**
 * Returns a function that stores with a document what its results ask of users, so that lists can select by it. Derived
 * from the queue and the results: it is called after each of their changes.
 */
export function createDocumentMarks(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const documents = documentModel(connection);
  const resultsOf = createDocumentResults(connection);
  const incompleteOf = createIncompleteResults(connection);
  return async (organizationId, documentId) => {
    const own = {
      _id: { $in: objectIdsOf([documentId]) },
      organization_id: new mongoose.Types.ObjectId(organizationId),
    };
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      // Read before the results: without a write meanwhile, no user has seen newer ones.
      const former = await documents.findOne(own, { review: 1, review_writes: 1 }).lean();
      if (former === null) return;
      const [results, incomplete] = await Promise.all([
        resultsOf(organizationId, [documentId]),
        incompleteOf(organizationId, [documentId]),
      ]);
      const found = results.get(documentId);
      const review = found && { ...found, is_incomplete: incomplete.has(documentId) };
      if (isDeepStrictEqual(review, former.review)) return;
      const seen = { ...own, review_writes: former.review_writes ?? { $exists: false } };
      const change = { ...(review ? { $set: { review } } : { $unset: { review: 1 } }), $inc: { review_writes: 1 } };
      if ((await documents.updateOne(seen, change)).matchedCount === 1) return;
    }
    throw new Error('Too many writes of the marks of one document at once.');
  };
}

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
      readTogether(queue, own, { projection: { document_id: 1, prompt_revid: 1, open: 1 } }),
      readTogether(extractions, own, { projection: { document_id: 1, prompt_revid: 1, is_verified: 1 } }),
    ]);
    const found = new Map<string, DocumentResults>();
    // The queue follows the results: an entry can still have values that were verified since.
    const verified = new Set<string>();
    const key = (result: { document_id: unknown; prompt_revid: unknown }) =>
      `${String(result.document_id)} ${String(result.prompt_revid)}`;
    for (const { document_id, prompt_revid, is_verified } of results) {
      if (is_verified) verified.add(key({ document_id, prompt_revid }));
      const id = document_id.toHexString();
      found.set(id, { to_check: 0, is_verified: is_verified || (found.get(id)?.is_verified ?? false) });
    }
    for (const { document_id, prompt_revid, open } of entries) {
      if (verified.has(key({ document_id, prompt_revid }))) continue;
      const result = found.get(String(document_id));
      if (result)
        result.to_check += countOpen(Buffer.from((open as unknown as mongoose.mongo.Binary).buffer), {}).count;
    }
    return found;
  };
}
