import type { ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, Extraction, Thread } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callWith,
  createPrompt,
  createSchema,
  proposing,
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../../testing/auto-create-test-bench.ts';

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

const number = { type: ['number', 'null'] };
const { json_schema } = responseFormat;
const wider = {
  ...responseFormat,
  json_schema: {
    ...json_schema,
    schema: { ...json_schema.schema, properties: { total: number, tax: number }, required: ['total', 'tax'] },
  },
};

/** The two ways to add a field and to move the prompt with it. */
const ways = [
  ['edit_schema', { changes: [{ op: 'add', path: 'tax', definition: number }] }],
  ['update_schema', { response_format: wider }],
] as const;
const extractAgain = callWith('run_extraction', () => ({}));
const withTax = { text: '{"total": 5, "tax": 1}' };

describe.each(ways)('a proposal whose schema %s extends', (tool, change) => {
  it('is extracted with the new field in a chat, and accepted in its new version', async () => {
    const client = await bench.addOrganization();
    bench.script(...proposing);
    const { id } = await bench.upload(client, { autoCreate: true });
    await bench.waitForEnd(client, id);
    const { schema_id } = (await bench.records(client)).schemas[0]!;
    const args = { schema_id, ...change, relink_prompts: true };
    bench.script({ calls: [{ name: tool, args }] }, extractAgain, withTax, { text: 'Done.' });
    const chat = await client.post(`./documents/${id}/chat`, {
      messages: [{ role: 'user', content: 'add the tax' }],
      auto_approved_tools: [tool, 'run_extraction'],
    });
    expect(chat.body).toMatchObject({ working_state: { extraction: { result: { total: 5, tax: 1 } } } });
    // A new conversation begins with the refined version, too.
    const { thread_id } = (await client.post<{ thread_id: string }>(`./documents/${id}/chat/threads`, {})).body;
    const { working_state } = (await client.get<Thread>(`./documents/${id}/chat/threads/${thread_id}`)).body;
    const refined = await bench.records(client);
    expect(working_state).toMatchObject({
      prompt_revid: refined.prompts[0]!.prompt_revid,
      schema_revid: refined.schemas[0]!.schema_revid,
      extraction: { result: { total: 5, tax: 1 } },
    });
    const answer = await client.post<Document>(`./documents/${id}/auto_create/accept`, {});
    expect(answer).toMatchObject({ status: 200, body: { auto_create: { status: 'accepted' } } });
    await expectAccepted(client, id);
  });

  it('is proposed in its new version by an unattended run that corrects itself', async () => {
    const client = await bench.addOrganization();
    const correct = callWith(tool, () => ({ schema_id: madeSchema, ...change, relink_prompts: true }));
    let madeSchema = '';
    const [extract, extraction] = proposing.slice(2);
    const remember: ScriptedStep = (request) => {
      const results = request.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
      madeSchema = String((JSON.parse(results.at(-1) ?? '{}') as { schema_id?: string }).schema_id);
      return typeof createPrompt === 'function' ? createPrompt(request) : createPrompt;
    };
    bench.script(createSchema, remember, extract!, extraction!, correct, extractAgain, withTax, { text: 'Done.' });
    const { id } = await bench.upload(client, { autoCreate: true });
    const document = await bench.waitForEnd(client, id);
    const { schemas, prompts } = await bench.records(client);
    expect(document.auto_create).toMatchObject({
      status: 'proposed',
      prompt_revid: prompts[0]!.prompt_revid,
      schema_revid: schemas[0]!.schema_revid,
    });
    await client.post(`./documents/${id}/auto_create/accept`, {});
    await expectAccepted(client, id);
  });
});

async function expectAccepted(client: Awaited<ReturnType<AutoCreateTestBench['addOrganization']>>, id: string) {
  const { schemas, prompts } = await bench.records(client);
  expect(schemas).toMatchObject([{ schema_version: 2, response_format: wider }]);
  expect(prompts).toMatchObject([{ prompt_version: 2, schema_revid: schemas[0]!.schema_revid, schema_version: 2 }]);
  expect(prompts[0]).not.toHaveProperty('review');
  expect(schemas[0]).not.toHaveProperty('review');
  const latest: Extraction | undefined = (await bench.extractions(client, id)).find(
    ({ prompt_revid }) => prompt_revid === prompts[0]!.prompt_revid,
  );
  expect(latest?.result).toEqual({ total: 5, tax: 1 });
}
