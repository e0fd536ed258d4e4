import type { Spent } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { writeOf, type JointWrite } from '../../platform/database/joint-writes.ts';
import { usageSumModel, type UsageKind, type UsageSumRecord } from './usage-model.ts';

/** What one model call was for. */
type UsageKeys = Partial<Record<UsageKind, string | undefined>>;

/** One of the most used of its kind. */
type UsageSum = Spent & { key: string };

/** The sums of an organization's usage by model, thread, user, prompt, document and run: kept, and never counted. */
export type UsageSums = ReturnType<ReturnType<typeof createUsageSums>>;

const maxListed = 100;
const allTime = 'all';

/** The sums of each organization, with money in one currency. */
export function createUsageSums(connection: Connection, currency: string) {
  const sums = usageSumModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /**
       * The writes that add a call to the sums of its month and of all time.
       *
       * @param counters The increments by field, such as `spu` or `costs.USD`.
       */
      adding(month: string, keys: UsageKeys, counters: Record<string, number>): JointWrite[] {
        const kinds = (Object.entries(keys) as [UsageKind, string | undefined][]).filter(
          ([, key]) => key !== undefined,
        );
        return [month, allTime]
          .flatMap((period) => kinds.map(([kind, key]) => ({ organization_id, period, kind, key: key! })))
          .map((filter) => {
            const ofUser = filter.kind === 'thread' && keys.user !== undefined && { user_id: keys.user };
            const update = { $inc: counters, ...(ofUser && { $setOnInsert: ofUser }) };
            return writeOf(sums, { updateOne: { filter, update, upsert: true } });
          });
      },
      /** The 100 most used. A `month` is `2026-11`; undefined means all time. With `threadsOf`, only that user's threads. */
      async most(kind: UsageKind, month: string | undefined, threadsOf?: string): Promise<UsageSum[]> {
        const filter: QueryFilter<UsageSumRecord> = { organization_id, period: month ?? allTime, kind };
        if (threadsOf !== undefined) filter.user_id = threadsOf;
        const found = await sums.find(filter).sort({ spu: -1, key: 1 }).limit(maxListed).lean();
        return found.map((record) => ({ key: record.key, ...spentOf(record, currency) }));
      },
    };
  };
}

/** The counters of a record as users see them, with money in one currency. */
export function spentOf(
  {
    spu,
    prompt_tokens,
    completion_tokens,
    cached_tokens = 0,
    calls,
    costs,
    priced,
  }: Omit<Spent, 'cost_micros' | 'unpriced_calls'> & Pick<UsageSumRecord, 'costs' | 'priced'>,
  currency: string,
): Spent {
  return {
    spu,
    prompt_tokens,
    completion_tokens,
    ...(cached_tokens > 0 && { cached_tokens }),
    calls,
    cost_micros: costs?.[currency] ?? 0,
    unpriced_calls: Math.max(0, calls - (priced?.[currency] ?? 0)),
  };
}
