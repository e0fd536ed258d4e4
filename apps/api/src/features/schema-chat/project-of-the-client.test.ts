import type { SchemaChatAnswer, SchemaExecuteAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, sendChat } from '../../testing/schema-chat-requests.ts';
import { startScriptedTestApp, type ScriptedTestApp } from '../../testing/test-app.ts';

let bench: ScriptedTestApp;
beforeAll(async () => {
  bench = await startScriptedTestApp();
});
afterAll(async () => bench.stop());

const asked = {
  header: 'Kind',
  questionText: 'Which?',
  options: [{ label: 'Invoices' }, { label: 'Receipts' }],
};

it('needs no id, and accepts both names of the model: the example of the contract', async () => {
  const { models } = (await bench.admin.get<{ models: { id: string }[] }>('./llm/models')).body;
  const model = models[0]!.id;
  const llm = bench.script({ calls: [{ name: 'add_column', args: { name: 'Invoice number', type: 'text' } }] });
  const chat = await bench.admin.post<SchemaChatAnswer>('/api/schema-chat', {
    mode: 'chat',
    messages: [{ role: 'user', content: 'I need to extract invoice data' }],
    settings: { model },
    currentColumns: [],
    projectDescription: '',
  });
  expect(chat.status).toBe(200);
  expect(llm.requests[0]?.model).toBe(model);
  const decided = await bench.admin.post<SchemaExecuteAnswer>('/api/schema-chat', {
    mode: 'execute',
    toolDecisions: chat.body.pendingTools.map((tool) => ({ ...tool, approved: true })),
    currentColumns: chat.body.currentColumns,
  });
  expect(decided.body).toMatchObject({ success: true, updatedColumns: [{ name: 'Invoice number' }] });
  const unknown = await sendChat(bench.admin, 'Go.', { settings: { model: 'nothing-of-ours' } });
  expect(unknown.error?.code).toBe('model_not_enabled');
});

it('removes a tool by a flag, and lists the flags without effect', async () => {
  const featureFlags = { ask_questions: false, set_multi_row_mode: false, add_column: true, beta: true };
  const llm = bench.script(
    { calls: [{ name: 'ask_questions', args: { questions: [asked] } }] },
    { text: 'Invoices, then.' },
  );
  const { body } = await sendChat(bench.admin, 'Go.', { featureFlags });
  const offered = (llm.requests[0]?.tools ?? []).flatMap(({ function: { name, description } }) =>
    name === 'use_tool' ? [...description.matchAll(/^- (\w+)\(/gmu)].map(([, line]) => line) : [name],
  );
  expect(offered).toEqual(expect.arrayContaining(['set_columns', 'add_column']));
  expect(offered).not.toContain('ask_questions');
  expect(offered).not.toContain('set_multi_row_mode');
  expect(body).toMatchObject({ questions: [], flagsWithoutEffect: ['beta'] });
  const multiRow = { id: 'a', name: 'set_multi_row_mode', args: { enabled: true } };
  const refused = await execute(bench.admin, [multiRow], { featureFlags });
  expect(refused.body).toMatchObject({ success: false, updatedMultiRowExtraction: false });
  expect(refused.body.results).toMatchObject([
    { success: false, error: expect.stringContaining('a tool that does not exist') },
  ]);
  expect((await execute(bench.admin, [multiRow])).body.updatedMultiRowExtraction).toBe(true);
});
