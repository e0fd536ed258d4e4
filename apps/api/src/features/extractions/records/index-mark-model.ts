import mongoose, { type Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/**
 * The marks of a result that the index of results has not processed yet, and whose versions are not in the event log. Each
 * write sets new ones, so that only a mark that was seen is removed.
 */
export function indexMark(): { index_pending: string; announce_pending: string } {
  const mark = new mongoose.Types.ObjectId().toHexString();
  return { index_pending: mark, announce_pending: mark };
}

/** Marks a written result for the review queue, the judgement of its release, and the index of results. */
export const writeMarks = () => ({ review_pending: 'written', release_pending: true, ...indexMark() }) as const;

/** A result that was removed: the index looks for another one of its prompt on the document. */
type RemovedResultRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    prompt_id: field.text,
  },
  { collection: 'removed_results' },
);
schema.index({ organization_id: 1, prompt_id: 1 });

export const removedResultModel = modelOf('RemovedResult', schema);

/** Notes results before they are removed, so that a process that dies in between leaves no stale entry in the index. */
export async function noteRemoved(
  connection: Connection,
  results: readonly Pick<RemovedResultRecord, 'organization_id' | 'document_id' | 'prompt_id'>[],
): Promise<void> {
  await removedResultModel(connection).insertMany(
    results.map(({ organization_id, document_id, prompt_id }) => ({ organization_id, document_id, prompt_id })),
  );
}
