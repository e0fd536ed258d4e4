import type { Extraction, Prompt, Thread } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAutoCreateTestBench, type AutoCreateTestBench } from '../../testing/auto-create-test-bench.ts';

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

it('a new conversation begins with the verified result of the document, else with the newest, else with none', async () => {
  const client = await bench.addOrganization();
  const { id } = await bench.upload(client);
  await bench.waitForEnd(client, id);
  const stateOfNewThread = async () => {
    const { body } = await client.post<{ thread_id: string }>(`./documents/${id}/chat/threads`, {});
    return (await client.get<Thread>(`./documents/${id}/chat/threads/${body.thread_id}`)).body.working_state;
  };
  expect(await stateOfNewThread()).toEqual({ schema_revid: null, prompt_revid: null, extraction: null });

  const prompt = await client.post<Prompt>('./prompts', { name: 'Totals', content: 'Take the total.' });
  const other = await client.post<Prompt>('./prompts', { name: 'Dates', content: 'Take the date.' });
  const extract = async ({ prompt_revid }: Prompt, text: string) => {
    bench.script({ text });
    return await client.post<Extraction>(`./documents/${id}/extractions`, { prompt_revid });
  };
  await extract(prompt.body, '{"total": 5}');
  await extract(other.body, '{"date": null}');
  expect(await stateOfNewThread()).toMatchObject({
    prompt_revid: other.body.prompt_revid,
    extraction: { result: { date: null }, is_verified: false },
  });
  await client.put(`./documents/${id}/extractions/${prompt.body.prompt_revid}/verification`, { is_verified: true });
  expect(await stateOfNewThread()).toMatchObject({
    prompt_revid: prompt.body.prompt_revid,
    extraction: { result: { total: 5 }, is_verified: true },
  });
});
