import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxAttempts } from '../../../platform/leases/claims-in-turn.ts';
import { recordIds } from '../../../platform/leases/testing/lease-on-record.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createEvaluationWorkRepository } from './evaluation-work-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

it('damaged evaluations end, and the next one is claimed', async () => {
  const evaluations = connection.collection('evaluations');
  const texts = { candidate: '{}', after: '{}', before: '{}' };
  const record = () => ({ ...recordIds(), active: true, state: 'queued', ...texts });
  const damages = [{ candidate: 'damaged' }, { after: { of: 1 } }, { before: '' }, { requested_by: null }];
  const damaged = damages.map((damage) => ({ ...record(), ...damage }));
  const sound = record();
  await evaluations.insertMany([...damaged, sound] as never[]);
  const claim = await createEvaluationWorkRepository(connection).claim();
  expect(claim?.evaluation.id).toBe(sound._id.toHexString());
  expect(await evaluations.countDocuments({ state: 'failed', active: null })).toBe(damaged.length);
});

it('an evaluation that ended its process each time, without any progress, is given up', async () => {
  const evaluations = connection.collection('evaluations');
  await evaluations.deleteMany({});
  const work = createEvaluationWorkRepository(connection);
  const texts = { candidate: '{}', after: '{}', before: '{}' };
  await evaluations.insertOne({ ...recordIds(), active: true, state: 'queued', ...texts });
  const claimAgain = async () => {
    await evaluations.updateMany({}, { $unset: { lease: 1 } });
    return await work.claim();
  };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) expect(await claimAgain()).toBeDefined();
  expect(await claimAgain()).toBeUndefined();
  expect(await evaluations.findOne({})).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
});
