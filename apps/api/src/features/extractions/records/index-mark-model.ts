import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/**
 * The marks of a result that the index of results has not processed yet, and whose versions are not in the event log. Each
 * write sets new ones, so that only a mark that was seen is removed.
 */
export function indexMark(): { index_pending: string; announce_pending: string } {
  const mark = new mongoose.Types.ObjectId().toHexString();
  return { index_pending: mark, announce_pending: mark };
}

/** A result that was removed: the index looks for another one of its prompt on the document. */
interface RemovedResultRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_id: string;
}

const schema = new mongoose.Schema<RemovedResultRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    document_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    prompt_id: { type: String, required: true },
  },
  { collection: 'removed_results', versionKey: false, autoIndex: false },
);
schema.index({ organization_id: 1, prompt_id: 1 });

export function removedResultModel(connection: Connection): Model<RemovedResultRecord> {
  return connection.models['RemovedResult'] ?? connection.model<RemovedResultRecord>('RemovedResult', schema);
}

/** Notes results before they are removed, so that a process that dies in between leaves no stale entry in the index. */
export async function noteRemoved(
  connection: Connection,
  results: readonly Pick<RemovedResultRecord, 'organization_id' | 'document_id' | 'prompt_id'>[],
): Promise<void> {
  await removedResultModel(connection).insertMany(
    results.map(({ organization_id, document_id, prompt_id }) => ({ organization_id, document_id, prompt_id })),
  );
}
