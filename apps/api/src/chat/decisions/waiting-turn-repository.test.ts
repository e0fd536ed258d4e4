import { turnStoreSuite } from '@docwright/agent-core/testing';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../db/connection.ts';
import { startTestDatabase, type TestDatabase } from '../../testing/test-app.ts';
import { createMongoTurnStore } from './waiting-turn-repository.ts';
import { waitingTurnModel } from './waiting-turn-model.ts';

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await startTestDatabase();
  connection = await connectDatabase(database.uri);
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

turnStoreSuite({ describe, it, expect }, async () => {
  await waitingTurnModel(connection).deleteMany({});
  let time = Date.now();
  const store = createMongoTurnStore(connection, { ttlMs: 60_000, now: () => time });
  return {
    store,
    expireAll: async () => {
      time += 60_001;
    },
  };
});
