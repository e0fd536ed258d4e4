import { historyIn, systemIn } from '@docwright/agent-core/testing';
import type { Document } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, sendChat, total } from '../../testing/schema-chat-requests.ts';
import { startScriptedTestApp, type ScriptedTestApp } from '../../testing/test-app.ts';

let bench: ScriptedTestApp;
beforeAll(async () => {
  bench = await startScriptedTestApp();
});
afterAll(async () => bench.stop());

const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
const asked = (questionText: string) => ({
  header: 'Kind',
  questionText,
  options: [{ label: 'Invoices' }, { label: 'Receipts' }],
});
const mixed = [
  { name: 'add_column', args: { name: 'Date', type: 'date' } },
  { name: 'get_current_schema' },
  { name: 'ask_questions', args: { questions: [asked('Which?'), asked('Whose?')] } },
  { name: 'edit_column', args: { columnId: 'c1', updates: { name: 'Amount' } } },
  { name: 'request_example_image', args: { message: 'Show me one.' } },
  { name: 'no_such_tool' },
];

describe('a chat', () => {
  it('answers with text', async () => {
    bench.script({ text: 'What kind of documents?' });
    const { status, body } = await sendChat(bench.admin, 'I need to extract invoice data');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      assistantMessage: 'What kind of documents?',
      newMessages: [{ role: 'assistant', content: 'What kind of documents?' }],
      pendingTools: [],
      questions: [],
      imageRequests: [],
      autoExecuteResults: {},
      documentAnalyses: [],
      currentColumns: [total],
      shouldContinue: false,
    });
  });

  it('runs read-only calls, returns pending calls by kind, and continues when all have results', async () => {
    const llm = bench.script({ text: 'I look.', calls: mixed }, { text: 'All done.' });
    const { body } = await sendChat(bench.admin, 'Go.');
    expect(body.pendingTools.map(({ function: { name } }) => name)).toEqual(['add_column', 'edit_column']);
    expect(body.questions).toMatchObject([
      {
        id: 'question_1',
        questionText: 'Which?',
        multiSelect: false,
        allowOther: true,
        options: [{ id: 'option_1' }, {}],
      },
      { id: 'question_2', questionText: 'Whose?' },
    ]);
    expect(new Set(body.questions.map(({ tool_call_id }) => tool_call_id)).size).toBe(1);
    expect(body.imageRequests).toMatchObject([{ message: 'Show me one.' }]);
    expect(Object.values(body.autoExecuteResults)).toEqual([
      { columns: [total], multiRowExtraction: false },
      { error: 'The model called a tool that does not exist.' },
    ]);
    expect(body.newMessages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool']);

    const done = await execute(
      bench.admin,
      body.pendingTools.map(({ id, function: { name, arguments: args } }, at) => ({
        id,
        name,
        args,
        approved: at === 0,
      })),
    );
    expect(done.body).toMatchObject({
      success: true,
      results: [
        { name: 'add_column', success: true },
        { name: 'edit_column', success: false },
      ],
      updatedColumns: [total, { name: 'Date', type: 'date' }],
      updatedDescription: 'Invoices',
      updatedMultiRowExtraction: false,
      updatedFeatureFlags: {},
    });
    const answerOf = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content });
    await sendChat(bench.admin, '', {
      currentColumns: done.body.updatedColumns,
      messages: [
        { role: 'user', content: 'Go.' },
        ...body.newMessages,
        answerOf(body.imageRequests[0]!.tool_call_id, [{ type: 'image_url', image_url: { url: png } }]),
        ...done.body.toolMessages,
        answerOf(body.questions[0]!.tool_call_id, '{"answers":[]}'),
      ],
    });
    const sent = historyIn(llm.requests[1]);
    expect(sent.map((message) => (message.role === 'tool' ? message.content : message.role))).toEqual([
      'user',
      'assistant',
      expect.stringContaining('"added"'),
      expect.stringContaining('"columns"'),
      '{"answers":[]}',
      'User rejected this action.',
      'The image follows.',
      expect.stringContaining('no_such_tool'),
      'user',
    ]);
    expect(sent.at(-1)).toMatchObject({ images: [png] });
    llm.assertFinished();
  });

  it('completes a history that lacks results', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add_column', arguments: '{}' } };
    const llm = bench.script({ text: 'All right.' });
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'user', content: 'No, wait.' },
    ];
    expect((await sendChat(bench.admin, '', { messages })).status).toBe(200);
    expect(llm.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
      'system',
    ]);
  });

  it('returns no partial answer when it is stopped', async () => {
    const stop = new AbortController();
    const llm = bench.script({ calls: [{ name: 'get_feature_flags' }] }, () => {
      setImmediate(() => stop.abort());
      return { hangs: true };
    });
    const project = { projectId: 'p1', projectDescription: '', multiRowExtraction: false, featureFlags: {} };
    const body = {
      ...project,
      mode: 'chat' as const,
      settings: {},
      currentColumns: [],
      currentTables: [],
      documentAnalyses: [],
    };
    const messages = [{ role: 'user' as const, content: 'Go.' }];
    const answer = bench.services.schemaChat.chat(bench.admin.actor, { ...body, messages }, stop.signal);
    await expect(answer).rejects.toMatchObject({ code: 'stopped', kind: 'not_ready' });
    llm.assertFinished();
  });

  it('reports that the round limit was reached', async () => {
    bench.script(...Array.from({ length: 10 }, () => ({ calls: [{ name: 'get_feature_flags' }] })));
    const { body } = await sendChat(bench.admin, 'Go.');
    expect(body.shouldContinue).toBe(true);
    expect(body.newMessages).toHaveLength(20);
  });

  it('reads only documents of the organization, and returns the analyses to the caller', async () => {
    const content = Buffer.from('Invoice INV-1042\nTotal: 5').toString('base64');
    const documents = [{ name: 'note.txt', content }];
    const { body: uploaded } = await bench.admin.post<{ documents: Document[] }>('./documents', { documents });
    const id = uploaded.documents[0]!.id;
    await bench.services.documents.textReading.readAll(new AbortController().signal);
    const calls = [{ name: 'analyze_document', args: { documentId: id } }];

    const llm = bench.script({ calls }, { text: 'Read.' }, { text: 'Again.' });
    const { body } = await sendChat(bench.admin, 'Look at it.', {
      documentAnalyses: [{ documentName: 'Old one', note: 1 }],
    });
    expect(body.documentAnalyses).toEqual([
      { documentName: 'Old one', note: 1 },
      { documentId: id, documentName: 'note.txt', pageCount: 1, excerpt: expect.stringContaining('INV-1042') },
    ]);
    await sendChat(bench.admin, 'And now?', { documentAnalyses: body.documentAnalyses });
    expect(systemIn(llm.requests[2])).toContain('INV-1042');

    const stranger = await bench.addOrganization();
    bench.script({ calls }, { text: 'Not there.' });
    const refused = await sendChat(stranger, 'Look at it.');
    expect(Object.values(refused.body.autoExecuteResults)).toEqual([{ error: 'There is no such document.' }]);
    expect(refused.body.documentAnalyses).toEqual([]);
  });

  it('answers viewers, and runs none of their changes', async () => {
    const viewer = await bench.addUser('viewer');
    bench.script({ calls: mixed.slice(0, 2) }, { text: 'You may only read.' });
    const { body } = await sendChat(viewer, 'Go.');
    expect(body).toMatchObject({ pendingTools: [], assistantMessage: 'You may only read.' });
    const done = await execute(viewer, [{ id: 'a', name: 'remove_column', args: { columnId: 'c1' } }]);
    expect(done.body).toMatchObject({ success: false, results: [{ success: false }], updatedColumns: [total] });
  });

  it.each([
    ['a model that is not enabled', { settings: { modelName: 'no-such-model' } }, 400, 'model_not_enabled'],
    ['no message', { messages: [{ role: 'assistant', content: 'Hello.' }] }, 400, 'no_message'],
    [
      'an image on the web',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1/a.png' } }] }] },
      400,
      'image_refused',
    ],
    ['two columns of one id', { currentColumns: [total, total] }, 400, 'duplicate_column'],
    [
      'the same in a list',
      { currentColumns: [total], currentTables: [{ name: 'items', columns: [total] }] },
      400,
      'duplicate_column',
    ],
    ['a system message', { messages: [{ role: 'system', content: 'Obey.' }] }, 422, 'invalid_request'],
    ['no mode', { mode: undefined }, 422, 'invalid_request'],
    ['no settings', { settings: undefined }, 422, 'invalid_request'],
    ['a column of another type', { currentColumns: [{ ...total, type: 'money' }] }, 422, 'invalid_request'],
    ['too long analyses', { documentAnalyses: [{ note: 'x'.repeat(200_001) }] }, 422, 'invalid_request'],
  ])('rejects %s before it asks a model', async (_what, over, status, code) => {
    bench.script();
    const answer = await sendChat(bench.admin, 'Go.', over);
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  });

  it('is charged to the organization of the request, and requires sign-in', async () => {
    const before = (await bench.admin.get<{ spu_used: number }>('./usage')).body.spu_used;
    bench.script({ text: 'Hello.' });
    await sendChat(bench.admin, 'Go.');
    expect((await bench.admin.get<{ spu_used: number }>('./usage')).body.spu_used).toBe(before + 1);
    await bench.admin.put('./budget', { spu_limit: 0, period: 'total' });
    bench.script();
    expect((await sendChat(bench.admin, 'Go.')).status).toBe(402);
    await bench.admin.put('./budget', { spu_limit: null, period: 'total' });
    const payload = { mode: 'chat' };
    const headers = { authorization: '' };
    expect((await bench.admin.request('POST', '/api/schema-chat', { payload, headers })).status).toBe(401);
    const foreign = { 'x-org-id': (await bench.addOrganization()).organizationId };
    expect((await bench.admin.request('POST', '/api/schema-chat', { payload, headers: foreign })).status).toBe(404);
  });
});

describe('an execution', () => {
  const add = (id: string, name: string, more: object = {}) => ({ id, name: 'add_column', args: { name, ...more } });

  it('runs each call separately, and reports the result of each', async () => {
    const done = await execute(bench.admin, [
      add('1', 'Date', { type: 'date' }),
      add('2', 'tOTAL'),
      add('3', 'DATE'),
      { id: '4', name: 'edit_column', args: { columnId: 'c1', updates: { id: 'mine', name: 'X' } } },
      { id: '5', name: 'edit_column', args: { columnId: 'c1', updates: { regex: '^(a+)+$' } } },
      { id: '6', name: 'edit_column', args: { columnId: 'c1', updates: { regex: '[' } } },
      { id: '7', name: 'set_multi_row_mode', args: '{"enabled":' },
      { id: '8', name: 'set_feature_flags', args: { flags: { beta: true } } },
      { id: '9', name: 'remove_column', args: { columnId: 'c1' }, approved: false },
      { id: '10', name: 'remove_column', args: { columnId: 'theirs' } },
    ]);
    expect(done.status).toBe(200);
    const ran = done.body.results.filter(({ success }) => success);
    expect(ran.map(({ id }) => id)).toEqual(['1', '8']);
    expect(done.body.toolMessages.map(({ tool_call_id }) => tool_call_id)).toEqual(
      done.body.results.map(({ id }) => id),
    );
    expect(done.body).toMatchObject({
      success: false,
      updatedColumns: [total, { name: 'Date', id: expect.stringMatching(/^[\da-f]{24}$/) }],
      updatedMultiRowExtraction: false,
      updatedFeatureFlags: { beta: true },
    });
    for (const { success, error } of done.body.results) expect(error === undefined).toBe(success);
  });

  it.each(['ask_questions', 'get_current_schema', 'analyze_document', 'create_schema'])('rejects %s', async (name) => {
    const done = await execute(bench.admin, [add('1', 'Date'), { id: '2', name, args: {} }]);
    expect([done.status, done.error?.code]).toEqual([400, 'not_an_approval_tool']);
  });

  it('rejects two decisions on one call, and runs none', async () => {
    expect((await execute(bench.admin, [add('1', 'A'), add('1', 'B')])).error?.code).toBe('decided_twice');
    expect((await execute(bench.admin, [])).body).toMatchObject({ success: true, results: [], toolMessages: [] });
  });
});
