import type { Prompt, Schema, SchemaUse } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

it('shows which prompts and documents stay on the old version of a changed schema', async () => {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client);
  const { schema_id, schema_revid } = prompt;
  const use = async () => {
    // A list of results adds those that wait to the index.
    await client.get(`./prompts/${prompt.prompt_id}/results`);
    return (await client.get<SchemaUse>(`./schemas/${schema_id}/use`)).body;
  };
  bench.answer(() => ({ number: 'A', total: 1, lines: [] }));
  const upload = async (text: string) => {
    const content = Buffer.from(`value ${text}`).toString('base64');
    const documents = [{ name: `${text}.txt`, content }];
    const answer = await client.post<{ documents: { id: string }[] }>('./documents', { documents });
    await bench.services.documents.textReading.readAll(new AbortController().signal);
    return answer.body.documents[0]!.id;
  };
  const extract = async (id: string, { prompt_revid }: Prompt) =>
    await client.post(`./documents/${id}/extractions`, { prompt_revid });
  const [first, second] = [await upload('A'), await upload('B')];
  await extract(first, prompt);
  await extract(second, prompt);
  await client.put(`./documents/${second}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
  expect(await use()).toEqual({
    schema_id,
    schema_version: 1,
    total_count: 1,
    prompts: [
      {
        prompt_id: prompt.prompt_id,
        prompt_revid: prompt.prompt_revid,
        name: prompt.name,
        schema_version: 1,
        documents: 2,
        documents_on_old_version: 0,
        documents_verified: 1,
      },
    ],
  });

  const { response_format } = (await client.get<Schema>(`./schemas/${schema_revid}`)).body;
  const format = structuredClone(response_format);
  format.json_schema.description = 'Changed';
  await client.put(`./schemas/${schema_id}`, { response_format: format });
  expect((await use()).prompts[0]).toMatchObject({ schema_version: 1, documents: 2, documents_on_old_version: 2 });
  const listed = await client.get<{ prompts: Prompt[] }>(`./prompts?schema_id=${schema_id}`);
  expect(listed.body.prompts).toMatchObject([{ prompt_id: prompt.prompt_id, newest_schema_version: 2 }]);
  expect((await client.get<Prompt>(`./prompts/${prompt.prompt_revid}`)).body.newest_schema_version).toBe(2);

  const moved = (await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { schema_id })).body;
  await extract(first, moved);
  const after = await use();
  expect(after).toMatchObject({ schema_version: 2, prompts: [{ schema_version: 2, documents_on_old_version: 1 }] });
  expect((await client.get<Prompt>(`./prompts/${moved.prompt_revid}`)).body.newest_schema_version).toBeUndefined();
  expect((await client.get<{ prompts: Prompt[] }>(`./prompts?schema_id=${'f'.repeat(24)}`)).body.prompts).toEqual([]);
});

it('is not shown to others', async () => {
  const { schema_id } = await createInvoicePrompt(await bench.addOrganization());
  const stranger = await bench.addOrganization();
  const answer = await stranger.get(`./schemas/${schema_id}/use`);
  expect([answer.status, answer.error?.code]).toEqual([404, 'schema_not_found']);
});
