import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Extraction, Run, Schedule } from '@docwright/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { runInBackground } from '../../platform/jobs/background-work.ts';
import { startTestApp, startUnclaimedTestApp, type TestApp, type UnclaimedTestApp } from '../../testing/test-app.ts';

import { createMeter } from './metered-llm-client.ts';
import { createModelPrices } from './model-prices.ts';
import { limitUnattended } from './unattended-calls.ts';
import type { Charge } from './usage-repository.ts';

let app: TestApp;
let other: UnclaimedTestApp;
afterAll(async () => {
  await other.app.close();
  await app.stop();
});
const patient = { timeout: 20_000, interval: 20 };

it('calls of models that nobody waits for stay within one limit over all processes, and hold up no person', async () => {
  const held: (() => void)[] = [];
  const calls = { now: 0, most: 0 };
  let isHeld = true;
  const llm: LlmClient = {
    async *stream(request) {
      calls.now += 1;
      calls.most = Math.max(calls.most, calls.now);
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      calls.now -= 1;
      yield* scriptedLlm([{ text: '{"total": 5}' }]).stream(request);
    },
  };
  const settings = { MAX_UNATTENDED_MODEL_CALLS: '2' };
  app = await startTestApp({ llm, settings, workerProcesses: () => 2 });
  other = await startUnclaimedTestApp({
    llm,
    settings,
    workerProcesses: () => 2,
    connection: app.connection,
  });
  await startJobs(app.services);
  const client = app.admin;
  const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`);
  const { body: uploaded } = await client.post<{ documents: { id: string }[] }>('./documents', {
    documents: names.map((name) => ({ name, content: Buffer.from(`Total of ${name}: 5`).toString('base64') })),
  });
  const countOf = async (state: string) =>
    (await client.get<{ total_count: number }>(`./documents?state=${state}`)).body.total_count;
  await expect.poll(async () => countOf('ocr_completed'), patient).toBe(names.length);
  const { body: prompt } = await client.post<{ prompt_id: string; prompt_revid: string }>('./prompts', {
    name: 'Total',
    content: 'Total?',
  });
  const { body: schedule } = await client.post<Schedule>('./schedules', {
    name: 'All',
    every: '1d',
    action: 'run_extraction',
    prompt_id: prompt.prompt_id,
  });
  const { body: run } = await client.post<Run>(`./schedules/${schedule.id}/run`);
  const now = async () => (await client.get<Run>(`./runs/${run.id}`)).body;
  // Both processes have documents in work, and two calls run.
  await expect.poll(now, patient).toMatchObject({ running: 6 });
  await startJobs(other.services);
  await expect.poll(() => held.length, patient).toBe(2);

  // A person's call comes at once.
  const last = uploaded.documents.at(-1)!;
  const asked = client.post<Extraction>(`./documents/${last.id}/extractions`, { prompt_revid: prompt.prompt_revid });
  await expect.poll(() => held.length, patient).toBe(3);
  expect(calls.most).toBe(3);
  isHeld = false;
  for (const resolve of held) resolve();
  expect((await asked).status).toBe(201);
  await expect.poll(now, patient).toMatchObject({ state: 'completed', succeeded: names.length });
  expect(calls.most).toBe(3);
}, 90_000);

/** A client whose calls wait until `permit` resolves, or rejects when they are stopped. */
function waitingClient(llm: LlmClient, used: () => number) {
  const charges: Charge[] = [];
  const meter = createMeter(
    () => ({
      budget: async () => ({ spu_limit: 3, cost_limit_micros: null, currency: 'USD', period: 'total' as const }),
      used: async () => ({ spu: used(), costMicros: 0 }),
      charge: async (charge) => void charges.push(charge),
    }),
    createModelPrices({ models: {} }),
  );
  const asked = Promise.withResolvers<{ party: string; isWaitedFor: boolean | undefined }>();
  const permit = Promise.withResolvers<() => void>();
  const client = limitUnattended(meter, {
    async take(party, signal, options) {
      signal?.addEventListener('abort', () => permit.reject(signal.reason));
      asked.resolve({ party, isWaitedFor: options?.isWaitedFor });
      return await permit.promise;
    },
  })(llm, { organizationId: 'o', userId: 'u' }, () => false);
  const run = (signal?: AbortSignal, isOfFew = false) =>
    runInBackground(
      async () => {
        const messages = [{ role: 'user' as const, content: 'x'.repeat(8_000) }];
        for await (const chunks of client.stream({ model: 'm', messages, ...(signal && { signal }) })) void chunks;
      },
      { isOfFew },
    );
  return { charges, asked: asked.promise, permit, run };
}

it('charges nothing for a call that is stopped while it waits', async () => {
  const { charges, asked, run } = waitingClient(scriptedLlm([{ text: 'a' }]), () => 0);
  const stop = new AbortController();
  const stopped = run(stop.signal);
  expect(await asked).toEqual({ party: 'o', isWaitedFor: false });
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(charges).toEqual([]);
});

it('checks the budget after the wait, and lets those of few go first as calls of their organization', async () => {
  let used = 0;
  const giveBack = vi.fn<() => void>();
  const { charges, asked, permit, run } = waitingClient(scriptedLlm([{ text: 'a' }]), () => used);
  const refused = run(undefined, true);
  expect(await asked).toEqual({ party: 'o', isWaitedFor: true });
  used = 3;
  permit.resolve(giveBack);
  await expect(refused).rejects.toMatchObject({ code: 'budget_exhausted' });
  expect([charges, giveBack.mock.calls.length]).toEqual([[], 1]);
});
