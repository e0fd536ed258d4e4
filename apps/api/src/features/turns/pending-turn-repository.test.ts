import { turnStoreSuite } from '@docwright/agent-core/testing';
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
