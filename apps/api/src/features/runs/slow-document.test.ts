import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Run, Schedule } from '@docwright/contract';
import { afterAll, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
afterAll(() => app.stop());

it('a slow document does not delay the others; the next due run is skipped, and the run can be stopped', async () => {
  const slow = Promise.withResolvers<void>();
  let asked = 0;
  const llm: LlmClient = {
    async *stream(request) {
      asked += 1;
      if (asked === 1) await Promise.race([slow.promise, aborted(request.signal)]);
      request.signal?.throwIfAborted();
      yield* scriptedLlm([{ text: '{"total": 5}' }]).stream(request);
    },
  };
  app = await startTestApp({ llm });
  await startJobs(app.services);
  const client = app.admin;
  const content = Buffer.from('Total: 5').toString('base64');
  await client.post('./documents', { documents: ['a', 'b', 'c'].map((name) => ({ name, content })) });
  const read = async () =>
    (await client.get<{ total_count: number }>('./documents?state=ocr_completed')).body.total_count;
  await expect.poll(read, { timeout: 20_000 }).toBe(3);

  const { body: prompt } = await client.post<{ prompt_id: string }>('./prompts', { name: 'Total', content: 'Total?' });
  const { body: schedule } = await client.post<Schedule>('./schedules', {
    name: 'Slow',
    every: '1d',
    action: 'run_extraction',
    prompt_id: prompt.prompt_id,
  });
  const { body: run } = await client.post<Run>(`./schedules/${schedule.id}/run`);
  const now = async () => (await client.get<Run>(`./runs/${run.id}`)).body;
  await expect.poll(now, { timeout: 20_000 }).toMatchObject({ running: 1, succeeded: 2, waiting: 0, total: 3 });

  await app.connection
    .collection('schedules')
    .updateMany({ name: 'Slow' }, { $set: { next_due_at: new Date(Date.now() - 1_000) } });
  const runs = async () => (await client.get<{ runs: Run[] }>(`./schedules/${schedule.id}/runs`)).body.runs;
  await expect.poll(runs, { timeout: 20_000 }).toMatchObject([
    { trigger: 'due', state: 'skipped', error: { code: 'run_still_going' }, total: 0 },
    { id: run.id, state: 'running' },
  ]);
  expect((await client.post(`./runs/${run.id}/stop`)).status).toBe(200);
  await expect.poll(now, { timeout: 20_000 }).toMatchObject({ state: 'stopped', succeeded: 2, cancelled: 1 });
  slow.resolve();
}, 90_000);

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}
