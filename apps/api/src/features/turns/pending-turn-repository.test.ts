import { samplePendingTurn, turnStoreSuite } from '@docwright/agent-core/testing';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createMongoTurnStore } from './pending-turn-repository.ts';
import { pendingTurnModel } from './pending-turn-model.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('a turn that is too large is refused alone, not what is stored at the same time', async () => {
  const store = createMongoTurnStore(connection, { ttlMs: 60_000 });
  const [large, small] = ['7', '8'].map((digit) => samplePendingTurn(digit.repeat(24)));
  const settled = await Promise.allSettled([
    store.save({ ...large!, text: 'x'.repeat(15 * 1024 * 1024) }),
    store.save(small!),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect((await store.find(small!.turnId, small!.owner)).state).toBe('waiting');
});

turnStoreSuite({ describe, it, expect }, async () => {
  await pendingTurnModel(connection).deleteMany({});
  let time = Date.now();
  const store = createMongoTurnStore(connection, { ttlMs: 60_000, now: () => time });
  return {
    store,
    expireAll: async () => {
      time += 60_001;
    },
  };
});
