import type { Budget, OrganizationUsage, Spent, Usage } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { retryOnDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createGroupedReads } from '../../platform/database/grouped-reads.ts';
import { createGroupedWrites } from '../../platform/database/grouped-writes.ts';
import { budgetModel, usageDetailModel, usageMonthModel } from './usage-model.ts';

/** The usage of one model call. */
export interface Charge extends Usage {
  at: Date;
  model: string;
  userId: string;
  threadId: string | undefined;
  documentId: string | undefined;
}

type UsageBreakdown = Pick<OrganizationUsage, 'by_day' | 'by_model' | 'by_thread'>;

/** The budget and usage of one organization. A `month` is `2026-11`; undefined means all time. */
export interface UsageRepository {
  /** Without a limit by default. */
  budget(): Promise<Budget>;
  setBudget(budget: Budget, updatedBy: string): Promise<void>;
  /** SPU. */
  used(month: string | undefined): Promise<number>;
  charge(charge: Charge): Promise<void>;
  /** With `threadsOf`, only threads of that user. */
  breakdown(month: string | undefined, threadsOf: string | undefined): Promise<UsageBreakdown>;
}

const maxThreads = 100;
const spentSums = {
  spu: { $sum: '$spu' },
  prompt_tokens: { $sum: '$prompt_tokens' },
  completion_tokens: { $sum: '$completion_tokens' },
  cached_tokens: { $sum: '$cached_tokens' },
  calls: { $sum: '$calls' },
};

const spentFields = { spu: 1, prompt_tokens: 1, completion_tokens: 1, cached_tokens: 1, calls: 1 } as const;

/** The usage of each organization. */
export function createUsageRepositories(connection: Connection): (organizationId: string) => UsageRepository {
  const months = usageMonthModel(connection);
  const details = usageDetailModel(connection);
  const budgets = budgetModel(connection);
  const readBudget = createGroupedReads(async (organizations) => {
    const records = await budgets.find({ organization_id: { $in: objectIdsOf(organizations) } }).lean();
    return new Map(records.map((record) => [record.organization_id.toHexString(), record]));
  });
  const writeMonths = createGroupedWrites(months);
  const writeDetails = createGroupedWrites(details);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const ofMonth = (month: string | undefined) => ({ organization_id, ...(month === undefined ? {} : { month }) });
    const detailsOf = (month: string | undefined) => ({
      organization_id,
      ...(month === undefined ? {} : { day: { $gte: `${month}-01`, $lte: `${month}-31` } }),
    });

    async function sumsBy<Key extends string>(key: Key, match: object, limit: number) {
      const sums = await details.aggregate<Spent & Record<Key, string>>([
        { $match: match },
        { $group: { _id: `$${key}`, ...spentSums } },
        { $sort: { spu: -1, _id: 1 } },
        { $limit: limit },
        { $project: { _id: 0, [key]: '$_id', ...spentFields } },
      ]);
      return sums.map(({ cached_tokens = 0, ...sum }) => ({ ...sum, ...(cached_tokens > 0 && { cached_tokens }) }));
    }

    return {
      async budget() {
        const found = await readBudget(organization_id.toHexString());
        return { spu_limit: found?.spu_limit ?? null, period: found?.period ?? 'total' };
      },
      async setBudget(budget, updated_by) {
        const set = { ...budget, updated_at: new Date(), updated_by };
        await retryOnDuplicateKey(() => budgets.updateOne({ organization_id }, { $set: set }, { upsert: true }));
      },
      async used(month) {
        const found = await months.find(ofMonth(month), { spu: 1 }).lean();
        return found.reduce((sum, { spu }) => sum + spu, 0);
      },
      async charge({ at, model, userId, threadId, documentId, spu, prompt_tokens, completion_tokens, ...more }) {
        const { cached_tokens = 0, estimated } = more;
        const [day, month] = [dayOf(at), monthOf(at)];
        const inDay = `days.${day.slice(-2)}`;
        const cached = cached_tokens > 0 ? { cached_tokens } : {};
        const spent = { spu, prompt_tokens, completion_tokens, ...cached, calls: 1 };
        const inMonth = Object.fromEntries(Object.entries(spent).map(([field, count]) => [`${inDay}.${field}`, count]));
        // The month first: the budget is checked against it, so it must not be lost.
        await retryOnDuplicateKey(() =>
          writeMonths([
            { updateOne: { filter: { organization_id, month }, update: { $inc: { spu, ...inMonth } }, upsert: true } },
          ]),
        );
        const detail = { day, model, user_id: userId, thread_id: threadId ?? null, document_id: documentId ?? null };
        const counted = { ...spent, estimated_calls: estimated ? 1 : 0 };
        await retryOnDuplicateKey(() =>
          writeDetails([
            { updateOne: { filter: { organization_id, ...detail }, update: { $inc: counted }, upsert: true } },
          ]),
        );
      },
      async breakdown(month, userId) {
        const match = detailsOf(month);
        const ofThreads = { ...match, thread_id: { $ne: null }, ...(userId === undefined ? {} : { user_id: userId }) };
        const [records, by_model, by_thread] = await Promise.all([
          months.find(ofMonth(month)).sort({ month: 1 }).lean(),
          sumsBy('model', match, 1_000),
          sumsBy('thread_id', ofThreads, maxThreads),
        ]);
        const by_day = records.flatMap(({ month, days }) =>
          Object.keys(days)
            .sort()
            .map((day) => ({ day: `${month}-${day}`, ...days[day]! })),
        );
        return { by_day, by_model, by_thread };
      },
    };
  };
}

/** Days and months in UTC, as in `2026-11-21`. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
