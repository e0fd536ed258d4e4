import mongoose, { type Connection } from 'mongoose';
import { extractionModel } from '../extractions/index.ts';
import { entryModel } from './collection-model.ts';

/** Finds the documents of a collection whose result has changed since it was indexed. */
export async function listChangedExtractions(
  connection: Connection,
  { id: collectionId, organizationId }: { id: string; organizationId: string },
  promptRevid: string,
): Promise<string[]> {
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const collection_id = new mongoose.Types.ObjectId(collectionId);
  const indexed = { organization_id, collection_id, state: 'indexed' as const };
  const entries = await entryModel(connection).find(indexed, { document_id: 1, extraction_version: 1 }).lean();
  const versions = new Map(entries.map((entry) => [entry.document_id.toHexString(), entry.extraction_version]));
  const ofPrompt = {
    organization_id,
    document_id: { $in: entries.map(({ document_id }) => document_id) },
    prompt_revid: new mongoose.Types.ObjectId(promptRevid),
  };
  const results = await extractionModel(connection).find(ofPrompt, { document_id: 1, version: 1 }).lean();
  return results.flatMap(({ document_id, version }) => {
    const id = document_id.toHexString();
    return versions.get(id) === version ? [] : [id];
  });
}
