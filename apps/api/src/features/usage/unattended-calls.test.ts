import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Extraction, Run, Schedule } from '@docwright/contract';
import { afterAll, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, startUnclaimedTestApp, type TestApp, type UnclaimedTestApp } from '../../testing/test-app.ts';

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
