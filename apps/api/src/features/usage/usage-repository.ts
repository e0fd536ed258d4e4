import type { BudgetChange, Spent, StoredBudget, Usage } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey, retryOnDuplicateKey } from '../../platform/database/connection.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { createGroupedReads } from '../../platform/database/grouped-reads.ts';
import { createJointWrites, writeOf } from '../../platform/database/joint-writes.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { budgetModel, type BudgetRecord, usageDetailModel, usageMonthModel } from './usage-model.ts';
import { createUsageSums, spentOf, type UsageSums } from './usage-sum-repository.ts';
import { editAsSeen } from '../../platform/records/seen-edit.ts';

/** The usage of one model call. */
export interface Charge extends Usage {
  at: Date;
  model: string;
  userId: string;
  threadId: string | undefined;
  documentId: string | undefined;
  promptId?: string | undefined;
  /** The run of many documents. */
  runId?: string | undefined;
  /** Millionths of the currency of the price table; undefined if the model has no price. */
  costMicros?: number | undefined;
}

/** The budget and usage of one organization. A `month` is `2026-11`; undefined means all time. */
export interface UsageRepository extends Pick<UsageSums, 'most'> {
  /**
   * Without a limit by default. A limit in another currency than the price table's is shown as zero: what is spent now
   * cannot be compared with it, and a budget must not be lost by that.
   */
  budget(): Promise<StoredBudget>;
  /** What is left out stays. */
  setBudget(change: BudgetChange, updatedBy: string): Promise<void>;
  used(month: string | undefined): Promise<{ spu: number; costMicros: number }>;
  charge(charge: Charge): Promise<void>;
  /** Oldest first. */
  byDay(month: string | undefined): Promise<(Spent & { day: string })[]>;
}

/** The usage of each organization, with money in the currency of the price table. */
export function createUsageRepositories(
  connection: Connection,
  currency: string,
): (organizationId: string) => UsageRepository {
  const months = usageMonthModel(connection);
  const details = usageDetailModel(connection);
  const budgets = budgetModel(connection);
  const readBudget = createGroupedReads(async (organizations) => {
    const records = await readTogether(budgets, () => ({ organization_id: { $in: objectIdsOf(organizations()) } }));
    return new Map(records.map((record) => [record.organization_id.toHexString(), record]));
  });
  const write = createJointWrites(connection);
  const sumsOf = createUsageSums(connection, currency);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const ofMonth = (month: string | undefined) => ({ organization_id, ...(month === undefined ? {} : { month }) });
    const sums = sumsOf(organizationId);
    function present({
      spu_limit = null,
      cost_limit_micros: limit = null,
      currency: stored,
      period = 'total',
    }: Partial<BudgetRecord>): StoredBudget {
      return { spu_limit, cost_limit_micros: limit === null || stored === currency ? limit : 0, currency, period };
    }
    return {
      most: (kind, month, threadsOf) => sums.most(kind, month, threadsOf),
      async budget() {
        return present((await readBudget(organization_id.toHexString())) ?? {});
      },
      async setBudget({ seen, spu_limit, period, cost_limit_micros }, updated_by) {
        const $set = {
          ...(spu_limit !== undefined && { spu_limit }),
          ...(cost_limit_micros !== undefined && { cost_limit_micros, currency }),
          ...(period !== undefined && { period }),
          updated_at: new Date(),
          updated_by,
        };
        const $setOnInsert = {
          ...(spu_limit === undefined && { spu_limit: null }),
          ...(period === undefined && { period: 'total' as const }),
        };
        const change = { $set, $setOnInsert };
        const read = async (): Promise<Partial<BudgetRecord>> =>
          (await budgets.findOne({ organization_id }).lean()) ?? {};
        await editAsSeen({ what: 'budget', seen, read, present }, async (unchanged) => {
          const upsert = () => budgets.updateOne({ organization_id, ...unchanged($set) }, change, { upsert: true });
          if (seen === undefined) return await retryOnDuplicateKey(upsert);
          // A record that was changed is not matched, and cannot be inserted again.
          return await upsert().catch(ignoreDuplicateKey);
        });
      },
      async used(month) {
        const found = await months.find(ofMonth(month), { spu: 1, costs: 1 }).lean();
        return found.reduce(
          (sum, { spu, costs }) => ({ spu: sum.spu + spu, costMicros: sum.costMicros + (costs?.[currency] ?? 0) }),
          { spu: 0, costMicros: 0 },
        );
      },
      async charge({ at, model, userId, threadId, documentId, promptId, runId, costMicros, ...used }) {
        const { spu, prompt_tokens, completion_tokens, cached_tokens = 0, estimated } = used;
        const [day, month] = [dayOf(at), monthOf(at)];
        const cached = cached_tokens > 0 ? { cached_tokens } : {};
        const spent = { spu, prompt_tokens, completion_tokens, ...cached, calls: 1 };
        const money = costMicros === undefined ? {} : { [`costs.${currency}`]: costMicros, [`priced.${currency}`]: 1 };
        const inDay = Object.fromEntries(
          Object.entries({ ...spent, ...money }).map(([field, count]) => [`days.${day.slice(-2)}.${field}`, count]),
        );
        const keys = {
          model,
          user: userId,
          thread: threadId,
          document: documentId,
          prompt: promptId,
          run: runId,
        };
        // Processes of the version before read the details.
        const detail = { day, model, user_id: userId, thread_id: threadId ?? null, document_id: documentId ?? null };
        const counted = { ...spent, estimated_calls: estimated ? 1 : 0 };
        const monthly = { $inc: { spu, ...money, ...inDay } };
        await write([
          // The month first: the budget is checked against it, so it must not be lost.
          writeOf(months, { updateOne: { filter: { organization_id, month }, update: monthly, upsert: true } }),
          ...sums.adding(month, keys, { ...spent, ...money }),
          writeOf(details, {
            updateOne: { filter: { organization_id, ...detail }, update: { $inc: counted }, upsert: true },
          }),
        ]);
      },
      async byDay(month) {
        const records = await months.find(ofMonth(month)).sort({ month: 1 }).lean();
        return records.flatMap(({ month, days }) =>
          Object.keys(days)
            .sort()
            .map((day) => ({ day: `${month}-${day}`, ...spentOf(days[day]!, currency) })),
        );
      },
    };
  };
}

/** Days and months in UTC, as in `2026-11-21`. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
