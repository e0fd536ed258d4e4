import type { Connection, Types } from 'mongoose';
import { usageDetailModel, usageMonthModel, usageSumModel, type UsageKind } from '../../features/usage/usage-model.ts';

/** The fields of the details of usage by which there are sums; prompts and runs were not recorded. */
const fieldOfKind = {
  model: 'model',
  thread: 'thread_id',
  user: 'user_id',
  document: 'document_id',
} as const satisfies Partial<Record<UsageKind, string>>;

interface Grouped {
  _id: string;
  user_id: string;
  spu: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  calls: number;
}

const counters = ['spu', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'calls'] as const;
const batchSize = 500;

/**
 * Sums the usage from before there were sums, of each organization's months and of all time. A sum that exists stays: a
 * crash in the middle, or a second run, counts nothing twice.
 */
export async function sumOlderUsage(connection: Connection): Promise<void> {
  const months = usageMonthModel(connection);
  const organizations = await months.distinct('organization_id');
  for (const organizationId of organizations) {
    const found = await months.find({ organization_id: organizationId }, { month: 1 }).lean();
    for (const { month } of found) await sumPeriod(connection, organizationId, month);
    await sumPeriod(connection, organizationId, 'all');
  }
}

async function sumPeriod(connection: Connection, organization_id: Types.ObjectId, period: string): Promise<void> {
  const details = usageDetailModel(connection);
  const sums = usageSumModel(connection);
  const days = period === 'all' ? {} : { day: { $gte: `${period}-01`, $lte: `${period}-31` } };
  for (const [kind, field] of Object.entries(fieldOfKind) as [UsageKind, string][]) {
    const grouped = details
      .aggregate<Grouped>([
        { $match: { organization_id, ...days, [field]: { $ne: null } } },
        {
          $group: {
            _id: `$${field}`,
            user_id: { $first: '$user_id' },
            ...Object.fromEntries(counters.map((name) => [name, { $sum: `$${name}` }])),
          },
        },
      ])
      .cursor();
    let batch: Parameters<typeof sums.bulkWrite>[0] = [];
    for await (const { _id, user_id, cached_tokens, ...spent } of grouped) {
      const set = {
        ...spent,
        ...(cached_tokens > 0 && { cached_tokens }),
        ...(kind === 'thread' && { user_id }),
      };
      const filter = { organization_id, period, kind, key: _id };
      batch.push({ updateOne: { filter, update: { $setOnInsert: set }, upsert: true } });
      if (batch.length < batchSize) continue;
      await sums.bulkWrite(batch);
      batch = [];
    }
    if (batch.length > 0) await sums.bulkWrite(batch);
  }
}
