import { jsonBytes, maxMetadataBytes } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { documentModel } from '../../features/documents/records/document-model.ts';

const collection = 'large_metadata';

/**
 * Metadata from before its limit would bloat every list of documents. It is moved to its own collection, by document
 * id; the document refers to it.
 */
export async function moveLargeMetadata(connection: Connection): Promise<void> {
  const documents = documentModel(connection);
  const aside = connection.collection(collection);
  const withMetadata = documents.find({ metadata: { $ne: {} } }, { metadata: 1, organization_id: 1 }).lean();
  // Small batches: each document can have 14 MB.
  for await (const { _id, organization_id, metadata } of withMetadata.cursor({ batchSize: 4 })) {
    const bytes = jsonBytes(metadata);
    if (bytes <= maxMetadataBytes) continue;
    // Copied before it is removed: a crash in between loses nothing.
    await aside.replaceOne({ _id }, { organization_id, metadata }, { upsert: true });
    const moved = `The metadata had ${Math.ceil(bytes / 1024)} kB; the limit is 64 kB. The operator finds it in the collection ${collection}.`;
    await documents.updateOne({ _id }, { $set: { metadata: { moved } } });
  }
}
