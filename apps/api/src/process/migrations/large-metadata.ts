import { jsonBytes, maxMetadataBytes } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { documentModel } from '../../features/documents/document-model.ts';

const collection = 'large_metadata';

/**
 * Metadata from before its limit would make each list as large as all of it together. It is kept in a collection of its own,
 * by the document's id; the document says so.
 */
export async function keepLargeMetadataAside(connection: Connection): Promise<void> {
  const documents = documentModel(connection);
  const aside = connection.collection(collection);
  const having = documents.find({ metadata: { $ne: {} } }, { metadata: 1, organization_id: 1 }).lean();
  // A few at a time: each may have 14 MB.
  for await (const { _id, organization_id, metadata } of having.cursor({ batchSize: 4 })) {
    const bytes = jsonBytes(metadata);
    if (bytes <= maxMetadataBytes) continue;
    // First kept, then taken away: a crash in between costs nothing.
    await aside.replaceOne({ _id }, { organization_id, metadata }, { upsert: true });
    const moved = `It had ${Math.ceil(bytes / 1024)} kB, and 64 kB are the limit. The operator finds it in the collection ${collection}.`;
    await documents.updateOne({ _id }, { $set: { metadata: { moved } } });
  }
}
