import { historyIn } from '@docwright/agent-core/testing';
import type { Extraction, Prompt, Schema, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

const format = (field: string) => ({
  type: 'json_schema' as const,
  json_schema: {
    name: 'invoice',
    strict: true as const,
    schema: {
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
      additionalProperties: false,
    },
  },
});

/** Proposes a call, runs `meanwhile`, and approves the call. */
async function approveAfter(
  chat: string,
  call: { name: string; args: Record<string, unknown> },
  meanwhile: (waiting: TurnAnswer) => Promise<unknown>,
) {
  const model = bench.script({ calls: [call] }, { text: 'Done.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Do it'))).body;
  await meanwhile(waiting);
  const { body } = await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  return {
    result: body.executed_rounds[0]!.tool_calls[0]!,
    lastMessage: historyIn(model.requests.at(-1)).at(-1)!.content,
  };
}

async function newSchema(): Promise<Schema> {
  return (await bench.admin.post<Schema>('./schemas', { name: 'Invoice', response_format: format('total') })).body;
}

it('does not change a schema that was changed while the call was pending', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const schema = await newSchema();
  const call = { name: 'update_schema', args: { schema_id: schema.schema_id, response_format: format('theirs') } };
  const change = { payload: { response_format: format('mine') } };
  const { result, lastMessage } = await approveAfter(chat, call, () =>
    bench.admin.request('PUT', `./schemas/${schema.schema_id}`, change),
  );
  expect(result).toMatchObject({ success: false, error: expect.stringContaining('version was 1 and is 2') });
  expect(lastMessage).toContain('stale_proposal');
  const { body } = await bench.admin.get<{ schemas: Schema[] }>('./schemas?name_search=Invoice');
  expect(body.schemas[0]).toMatchObject({ schema_version: 2, response_format: format('mine') });
});

it('reports that the object to delete no longer exists', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const { schema_id } = await newSchema();
  const { result } = await approveAfter(chat, { name: 'delete_schema', args: { schema_id } }, () =>
    bench.admin.request('DELETE', `./schemas/${schema_id}`),
  );
  expect(result.error).toMatch(/^stale_proposal: .*no longer there/u);
});

it('does not overwrite a correction that was made while the extraction was pending', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const { prompt_revid } = (await bench.admin.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  bench.script({ text: '{"total":"1"}' });
  await bench.admin.post(`./documents/${id}/extractions`, { prompt_revid });
  const path = `./documents/${id}/extractions/${prompt_revid}`;
  const correction = { payload: { path: 'total', value: '5', base_version: 1 } };
  const { result } = await approveAfter(chat, { name: 'run_extraction', args: { prompt_revid } }, () =>
    bench.admin.request('PATCH', path, correction),
  );
  expect(result.error).toContain('stale_proposal');
  expect((await bench.admin.get<Extraction>(path)).body.result).toEqual({ total: '5' });
});

it('returns the result of its own write whose answer was lost, instead of reporting a stale proposal', async () => {
  const { chat } = await bench.documentOf(bench.admin);
  const { schema_id } = await newSchema();
  const args = { schema_id, response_format: format('new') };
  const { result } = await approveAfter(chat, { name: 'update_schema', args }, async ({ turn_id, tool_calls }) => {
    const origin = { call_id: tool_calls[0]!.id, turn_id };
    await bench.services
      .schemas(bench.admin.actor)
      .update(schema_id, { response_format: args.response_format }, origin);
  });
  expect(result).toMatchObject({ success: true, result: { schema_version: 2 } });
});
