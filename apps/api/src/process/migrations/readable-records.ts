import { isDatabaseUnavailable } from '../../platform/database/connection.ts';

/** Told of a record that a migration could not read: it stays as it was, and does not keep the server from starting. */
export type OnUnreadable = (record: { collection: string; id: string }, error: unknown) => void;

/**
 * Works on the records of a batch, one after the other, and returns the results of those that can be read.
 *
 * @example const updates = await ofReadable({ collection: 'documents', onUnreadable }, batch, updateOf);
 */
export async function ofReadable<Stored extends { _id: unknown }, Result>(
  { collection, onUnreadable }: { collection: string; onUnreadable: OnUnreadable },
  records: readonly Stored[],
  work: (record: Stored) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const record of records) {
    try {
      results.push(await work(record));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      onUnreadable({ collection, id: String(record._id) }, error);
    }
  }
  return results;
}
