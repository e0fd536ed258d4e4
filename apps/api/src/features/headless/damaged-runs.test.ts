import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectId, recordIds } from '../../platform/leases/testing/lease-on-record.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createClaimRepository } from './claim-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

it('damaged runs of documents end, and the next one is claimed', async () => {
  const runs = connection.collection('document_runs');
  const sound = {
    ...recordIds(),
    document_id: objectId(),
    state: 'queued',
    kind: 'agent',
    rank: 1,
    attempts: 0,
    turn_ids: [],
    requested_by: 'u',
    run_id: null,
    auto_approved_tools: [],
  };
  const damages = [
    { kind: 'damaged' },
    { kind: 1 },
    { document_id: null },
    { document_id: 'damaged' },
    { run_id: [null] },
    // No claim can count these.
    { attempts: 'one' },
    { turn_ids: 'none' },
  ];
  const damaged = damages.map((damage) => ({ ...sound, _id: objectId(), ...damage }));
  await runs.insertMany([...damaged, { ...sound, rank: 2 }] as never[]);
  const claim = await createClaimRepository(connection).claimNext([]);
  expect(claim?.id).toBe(sound._id.toHexString());
  const ended = { state: 'failed', 'error.code': 'internal_error', 'lease.until': null };
  expect(await runs.countDocuments(ended)).toBe(damaged.length);
});

it('an automatic proposal that is given up is settled with its document', async () => {
  const runs = connection.collection('document_runs');
  await runs.deleteMany({});
  const texts = { document_id: objectId(), requested_by: 'u', run_id: null, auto_approved_tools: [], turn_ids: [] };
  await runs.insertOne({
    ...recordIds(),
    ...texts,
    state: 'queued',
    kind: 'auto_create',
    rank: 1,
    attempts: 0,
  });
  const claims = createClaimRepository(connection);
  await claims.giveUp((await claims.claimNext([]))!);
  expect((await claims.unsettled(1)).map(({ state }) => state)).toEqual(['failed']);
});
