import type { Prompt } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import { createStoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createResultTables, createWarmTables } from './result-tables.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
  bench.answer(() => ({ number: 'A', total: 1, lines: [] }));
  const documents = [{ name: 'a.txt', content: Buffer.from('value 1').toString('base64') }];
  const { body } = await client.post<{ documents: { id: string }[] }>('./documents', { documents });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  await client.post(`./documents/${body.documents[0]!.id}/extractions`, { prompt_revid: prompt.prompt_revid });
});
afterAll(async () => bench.stop());
const copies = () => createStoredCopies(bench.connection);

it('has the results in memory that somebody read before the start, and no others', async () => {
  const index = bench.services.resultIndex;
  const entries = vi.fn((...given: Parameters<typeof index.entries>) => index.entries(...given));
  const tables = createWarmTables(index, createResultTables({ ...index, entries }, copies()));
  const { signal } = new AbortController();
  await tables.warm(signal);
  expect(entries).not.toHaveBeenCalled();

  await client.get(`./prompts/${prompt.prompt_id}/results`);
  await expect.poll(async () => (await index.lastUsed(new Date(0), 10)).length).toBe(1);
  await tables.warm(signal);
  expect(entries).toHaveBeenCalledTimes(1);
  const { store } = await tables.get({ organizationId: client.organizationId, promptId: prompt.prompt_id });
  expect([entries.mock.calls.length, store.size]).toEqual([1, 1]);
  expect(store.columns().map(({ path }) => path)).toEqual(['number', 'total']);
});

it('reads nothing after the server has begun to stop', async () => {
  const index = bench.services.resultIndex;
  const entries = vi.fn((...given: Parameters<typeof index.entries>) => index.entries(...given));
  await createWarmTables(index, createResultTables({ ...index, entries }, copies())).warm(AbortSignal.abort());
  expect(entries).not.toHaveBeenCalled();
});
