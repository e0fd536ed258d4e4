import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import type { AuditLog } from './audit-log.ts';
import { createAuditWrites, declareWrites } from './declared-writes.ts';

it('records a write once the database is back that was away right after it', async () => {
  const gone = new mongoose.mongo.MongoNetworkError('The database has ended.');
  const record = vi.fn<AuditLog['record']>().mockRejectedValueOnce(gone).mockResolvedValueOnce();
  const change = vi.fn<(id: string) => Promise<string>>(async () => 'done');
  const writes = declareWrites<{ change: typeof change }>({ change: { tool: 'change_it', takes: ['id'] } });
  const audited = createAuditWrites(
    () => ({ record }),
    { requireRoom: async () => undefined },
    {
      add: async () => undefined,
      withdraw: async () => undefined,
    },
  );
  expect(
    await audited(writes, () => ({ change }))({ organizationId: 'o', userId: 'u', role: 'admin' }).change('1'),
  ).toBe('done');
  expect(change).toHaveBeenCalledOnce();
  const [first, second] = record.mock.calls.map(([entries]) => entries);
  expect(second).toEqual(first);
  expect(second).toMatchObject([{ tool: 'change_it', success: true }]);
});
