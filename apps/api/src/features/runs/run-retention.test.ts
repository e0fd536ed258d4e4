import { startTestDatabase, type TestDatabase } from '@docwright/embedded-mongo/testing';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { migrate } from '../../process/migrations/migrate.ts';
import { createClaimRepository, type RunOutcome } from '../headless/claim-repository.ts';
import { createDocumentRunRepository } from '../headless/document-run-repository.ts';
import { runModel } from './run-model.ts';

const day = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await startTestDatabase({ expiryIntervalMs: 100 });
  connection = await connectDatabase(database.uri);
  createDocumentRunRepository(connection);
  runModel(connection);
  await migrate(connection, []);
});
afterAll(async () => {
  await connection.close();
  await database.stop();
});

const hexId = () => new mongoose.Types.ObjectId().toHexString();
const outcome = (proposal: RunOutcome['proposal']): RunOutcome => ({
  state: 'succeeded',
  error: null,
  proposal,
  log: { thread_id: null, messages: [] } as unknown as RunOutcome['log'],
  spuUsed: 1,
});

test('runs are stored for 90 days after their end, proposals and pending entries without a limit', async () => {
  const organizationId = hexId();
  const queue = createDocumentRunRepository(connection);
  const claims = createClaimRepository(connection);
  const runId = hexId();
  const add = async (kind: 'extraction' | 'auto_create', ofRun: string | undefined) =>
    await queue.insert({
      organizationId,
      documentId: hexId(),
      runId: ofRun,
      kind,
      requestedBy: hexId(),
      role: 'member',
    });
  await add('extraction', runId);
  await add('auto_create', runId);
  await add('auto_create', undefined);
  for (let run = await claims.claimNext([]); run !== undefined; run = await claims.claimNext([])) {
    await claims.finish(run, outcome(run.kind === 'auto_create' ? { prompt_revid: hexId() } : null));
  }
  await add('extraction', runId);
  const entries = connection.collection<{ kind: string; state: string; expires_at?: Date }>('document_runs');
  const listed = async () =>
    (await entries.find().sort({ _id: 1 }).toArray()).map(({ kind, state }) => `${kind} ${state}`);
  const unlimited = ['auto_create succeeded', 'auto_create succeeded', 'extraction queued'];
  const expiresAt = (await entries.findOne({ expires_at: { $exists: true } }))?.expires_at;
  expect((expiresAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(89 * day);
  expect(await listed()).toEqual(['extraction succeeded', ...unlimited]);
  await entries.updateMany({ expires_at: { $exists: true } }, { $set: { expires_at: new Date(Date.now() - 1) } });

  const runs = connection.collection('runs');
  const ended = (days: number | null) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    days,
    ended_at: days === null ? null : new Date(Date.now() - days * day),
  });
  await runs.insertMany([91, 89, null].map(ended));
  await expect.poll(listed).toEqual(unlimited);
  await expect.poll(async () => (await runs.find().toArray()).map(({ days }) => days)).toEqual([89, null]);
});
