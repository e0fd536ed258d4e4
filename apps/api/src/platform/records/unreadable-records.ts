import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '@docwright/contract';
import { isDatabaseUnavailable } from '../database/connection.ts';

/** A record that a list leaves out. */
interface UnreadableRecord {
  id: string;
  error: unknown;
}

const ofList = new AsyncLocalStorage<UnreadableRecord[]>();

/** Runs the request of a list, whose records may be left out if they cannot be read. */
export const runList = (work: () => void): void => ofList.run([], work);

/** The records that the list of this request has left out. Empty outside of a list. */
export const unreadableRecords = (): readonly UnreadableRecord[] => ofList.getStore() ?? [];

interface Identified {
  _id?: unknown;
  id?: unknown;
}

/**
 * Presents the records of a list. One that is damaged is left out and named in the answer, so that it does not hide all
 * others. Outside of a list's request it throws: a decision by records needs all of them.
 *
 * @example return { tags: presentEach(records, present), total_count };
 */
export function presentEach<Stored extends Identified, Presented>(
  records: readonly Stored[],
  present: (record: Stored) => Presented,
): Presented[] {
  return records.flatMap((record) => {
    try {
      return [present(record)];
    } catch (error) {
      leaveOut(record, error);
      return [];
    }
  });
}

/** The same for records that are presented with others' help, all at once. */
export async function presentEachLater<Stored extends Identified, Presented>(
  records: readonly Stored[],
  present: (record: Stored) => Promise<Presented>,
): Promise<Presented[]> {
  const presented = await Promise.all(
    records.map(async (record) => {
      try {
        return [await present(record)];
      } catch (error) {
        leaveOut(record, error);
        return [];
      }
    }),
  );
  return presented.flat();
}

/** Leaves a record out of the list of this request. @throws the error outside of a list, or if the record has no fault. */
export function leaveOut(record: Identified, error: unknown): void {
  const list = ofList.getStore();
  if (list === undefined || error instanceof DomainError || isDatabaseUnavailable(error)) throw error;
  list.push({ id: String(record._id ?? record.id), error });
}
