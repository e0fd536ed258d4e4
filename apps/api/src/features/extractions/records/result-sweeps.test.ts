import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { extractionModel } from './extraction-model.ts';
import { createResultSweeps, type ResultSweeps } from './result-sweep-repository.ts';

let harness: TestApp;
let sweeps: ResultSweeps;
beforeAll(async () => {
  harness = await startTestApp();
  sweeps = createResultSweeps(harness.connection, 'sweeps_of_this_test', { 'release.state': 'open' });
});
afterAll(() => harness.stop());

const newId = () => new mongoose.Types.ObjectId();

/** Open results of a prompt, the oldest first. */
async function addResults(organization_id: mongoose.Types.ObjectId, count: number): Promise<string[]> {
  const results = Array.from({ length: count }, () => ({
    _id: newId(),
    organization_id,
    document_id: newId(),
    prompt_revid: newId(),
    prompt_id: 'p',
    release: { state: 'open', version: 1 },
  }));
  await extractionModel(harness.connection).collection.insertMany(results);
  return results.map(({ _id }) => _id.toHexString());
}

/** Processes one batch. Returns its results, or undefined if nothing is left. */
async function step(limit: number): Promise<string[] | undefined> {
  const batch = await sweeps.next(limit);
  if (batch === undefined) return undefined;
  await sweeps.advance(batch);
  return batch.records.map(({ _id }) => _id.toHexString());
}

async function steps(limit: number): Promise<string[]> {
  const processed: string[] = [];
  for (let batch = await step(limit); batch !== undefined; batch = await step(limit)) processed.push(...batch);
  return processed;
}

it('processes each result once, the oldest first, and says how far it is', async () => {
  const organization = newId();
  const ids = await addResults(organization, 7);
  const of = [organization.toHexString(), 'p'] as const;
  expect(await sweeps.progress(...of)).toBeUndefined();
  await sweeps.request(...of);
  expect(await step(3)).toEqual(ids.slice(0, 3));
  expect(await sweeps.progress(...of)).toEqual({ done: 3, total: 7 });
  expect(await steps(3)).toEqual(ids.slice(3));
  expect(await sweeps.progress(...of)).toBeUndefined();
});

it('a request that comes meanwhile goes on where it is, and comes back to what was processed before', async () => {
  const organization = newId();
  const ids = await addResults(organization, 7);
  const of = [organization.toHexString(), 'p'] as const;
  await sweeps.request(...of);
  await step(3);
  await sweeps.request(...of);
  expect(await steps(2)).toEqual([...ids.slice(3), ...ids.slice(0, 3)]);
});

it('what was processed for an earlier request does not count for a later one', async () => {
  const organization = newId();
  const ids = await addResults(organization, 4);
  const of = [organization.toHexString(), 'p'] as const;
  await sweeps.request(...of);
  const earlier = await sweeps.next(2);
  await sweeps.request(...of);
  await sweeps.advance(earlier!);
  expect(await steps(2)).toEqual(ids);
});

it('organizations take turns, and a damaged request holds up no other', async () => {
  const [many, few, damaged] = [newId(), newId(), newId()];
  const first = await addResults(many, 6);
  const second = await addResults(few, 2);
  const requests = harness.connection.collection('sweeps_of_this_test');
  await requests.insertMany([
    { organization_id: damaged, prompt_id: 'p', token: { a: 1 }, after: 'x', done: 'x', requested_at: new Date(0) },
    { organization_id: 'x', prompt_id: 'p', token: 'x', done: 0, requested_at: new Date(0) },
  ]);
  await sweeps.request(many.toHexString(), 'p');
  await sweeps.request(few.toHexString(), 'p');
  const processed = [await step(2), await step(2), await step(2), await step(2)].flat();
  expect(processed).toEqual(expect.arrayContaining([...second, ...first.slice(0, 2)]));
  expect((await steps(2)).toSorted()).toEqual(first.filter((id) => !processed.includes(id)).toSorted());
  expect(await requests.deleteMany({ organization_id: 'x' })).toMatchObject({ deletedCount: 1 });
  expect(await requests.countDocuments()).toBe(0);
});
