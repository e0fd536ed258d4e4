import { isDatabaseUnavailable } from '../database/connection.ts';
import { backgroundWork } from './background-work.ts';

/** The records whose work failed. */
export type SetAside = ReturnType<typeof createSetAside>;

interface SetAsideOptions {
  log: { error(fields: object, message: string): void };
  /** What could not be done, for the log. */
  failure: string;
  /** Milliseconds after which a record is tried again; twice as long after each further failure, up to ten minutes. */
  againAfterMs?: number;
}

const longestMs = 600_000;
/** So many failures have another cause than single records. */
const maxRecords = 1_000;

/**
 * Keeps one record that cannot be worked on from stopping the work on all others: it is set aside and tried again later.
 * Kept in the memory of the process. A job that works on it runs once more when it is due.
 *
 * @example
 * const aside = createSetAside({ log, failure: 'a result could not be announced' });
 * for (const record of await pending(aside.ids())) await aside.work(record.id, () => announce(record));
 */
export function createSetAside({ log, failure, againAfterMs = 10_000 }: SetAsideOptions) {
  const failed = new Map<string, { failures: number; until: number }>();
  return {
    /**
     * The records that are set aside now. A job that leaves them out runs once more when each is due: a request can have set it
     * aside, which has no job to run.
     */
    ids(): string[] {
      const now = performance.now();
      const waiting = [...failed].filter(([, { until }]) => until > now);
      for (const [, { until }] of waiting) backgroundWork()?.againIn?.(until - now);
      return waiting.map(([id]) => id);
    },
    /** Works on a record. False if that failed, and the record is set aside. @throws if the database is unreachable. */
    async work(id: string, work: () => Promise<unknown>): Promise<boolean> {
      try {
        await work();
        failed.delete(id);
        return true;
      } catch (error) {
        if (isDatabaseUnavailable(error) || (failed.size >= maxRecords && !failed.has(id))) throw error;
        const failures = (failed.get(id)?.failures ?? 0) + 1;
        const waitMs = Math.min(againAfterMs * 2 ** (failures - 1), longestMs);
        failed.set(id, { failures, until: performance.now() + waitMs });
        backgroundWork()?.againIn?.(waitMs);
        log.error({ err: error, record: id }, failure);
        return false;
      }
    },
  };
}
