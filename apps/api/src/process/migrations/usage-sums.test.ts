import { Types, type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUsageRepositories } from '../../features/usage/usage-repository.ts';
import { usageDetailModel, usageMonthModel } from '../../features/usage/usage-model.ts';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { sumOlderUsage } from './usage-sums.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectDatabase(newTestDatabase());
});
afterAll(() => connection.close());

it('sums the usage from before there were sums, once however often it runs, and later calls add to it', async () => {
  const organization_id = new Types.ObjectId();
  const organizationId = organization_id.toHexString();
  for (const month of ['2026-01', '2026-02'])
    await usageMonthModel(connection).collection.insertOne({ organization_id, month, spu: 3, days: {} });
  const detail = { organization_id, model: 'm', user_id: 'u', thread_id: 't', document_id: null };
  const counted = { spu: 1, prompt_tokens: 10, completion_tokens: 2, calls: 1, estimated_calls: 0 };
  await usageDetailModel(connection).collection.insertMany([
    { ...detail, ...counted, day: '2026-01-31', cached_tokens: 4 },
    { ...detail, ...counted, day: '2026-02-01' },
    { ...detail, ...counted, day: '2026-02-02', thread_id: null, document_id: 'd' },
  ] as never[]);

  await sumOlderUsage(connection);
  await sumOlderUsage(connection);
  const usage = createUsageRepositories(connection, 'USD')(organizationId);
  const sum = (calls: number) => ({
    spu: calls,
    prompt_tokens: 10 * calls,
    completion_tokens: 2 * calls,
    calls,
    cost_micros: 0,
    unpriced_calls: calls,
  });
  expect(await usage.most('model', undefined)).toEqual([{ key: 'm', ...sum(3), cached_tokens: 4 }]);
  expect(await usage.most('user', '2026-02')).toEqual([{ key: 'u', ...sum(2) }]);
  expect(await usage.most('thread', undefined, 'u')).toEqual([{ key: 't', ...sum(2), cached_tokens: 4 }]);
  expect(await usage.most('document', '2026-02')).toEqual([{ key: 'd', ...sum(1) }]);
  expect(await usage.most('document', '2026-01')).toEqual([]);

  const at = new Date('2026-02-03T00:00:00Z');
  const call = { spu: 1, prompt_tokens: 10, completion_tokens: 2, estimated: false, costMicros: 7 };
  await usage.charge({ ...call, at, model: 'm', userId: 'u', threadId: undefined, documentId: undefined });
  expect((await usage.most('user', '2026-02'))[0]).toEqual({
    key: 'u',
    ...sum(3),
    cost_micros: 7,
    unpriced_calls: 2,
  });
});
