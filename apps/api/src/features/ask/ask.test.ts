import type { AskRows, Document, Run, Thread, TurnAnswer } from '@docwright/contract';
import { DomainError } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAskRepositories } from './ask-repository.ts';
import { createAskResults } from './ask-results.ts';
import { framesOf, startChatTestBench, userMessage, type ChatTestBench } from '../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
let promptId: string;
const documents: Document[] = [];
beforeAll(async () => {
  bench = await startChatTestBench();
  const { body: prompt } = await bench.admin.post<{ prompt_id: string; prompt_revid: string }>('./prompts', {
    name: 'Invoices',
    content: 'Read the invoice.',
  });
  promptId = prompt.prompt_id;
  for (const [name, total, currency] of [
    ['Contoso GmbH', 500, 'EUR'],
    ['Contoso GmbH', 700.5, 'EUR'],
    ['Fabrikam Ltd', 900, 'USD'],
    ['Secret Inc.', 10_000, 'EUR'],
  ] as const) {
    const content = Buffer.from(`Invoice ${documents.length} of ${name}. The deposit is not refundable.`).toString(
      'base64',
    );
    const { body } = await bench.admin.post<{ documents: Document[] }>('./documents', {
      documents: [{ name: `invoice-${documents.length}.txt`, content }],
    });
    const document = body.documents[0]!;
    documents.push(document);
    await storeResult(document.id, prompt, { supplier: name, total, currency });
  }
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const patched = await bench.admin.patch(`./documents/${documents[3]!.id}`, { never_to_model: true });
  expect(patched.status).toBe(200);
});
afterAll(async () => bench.stop());

async function storeResult(documentId: string, prompt: { prompt_id: string; prompt_revid: string }, result: object) {
  const id = (hex: string) => new mongoose.Types.ObjectId(hex);
  const at = new Date();
  await bench.connection.collection('extractions').insertOne({
    organization_id: id(bench.admin.organizationId),
    document_id: id(documentId),
    prompt_revid: id(prompt.prompt_revid),
    prompt_id: prompt.prompt_id,
    version: 1,
    result: JSON.stringify(result),
    original_result: JSON.stringify(result),
    grounding: JSON.stringify({ total: { page_num: 1, quote: 'x', boxes: [], match: 'exact' } }),
    validation_errors: [],
    created_at: at,
    changed_at: at,
    is_verified: false,
    index_pending: new mongoose.Types.ObjectId().toHexString(),
  });
}

const sums = () => ({
  calls: [{ name: 'query_results', args: { prompt_id: promptId, aggregate: [{ op: 'sum', path: 'total' }] } }],
});

/** A model that queries the sums and then writes, with the ids that it was answered. */
function writing(write: (ids: Record<string, string>) => string, turns = 1) {
  const step = {
    get text() {
      const results = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
      const { aggregates } = JSON.parse(results.at(-1)!.content) as {
        aggregates: { id: string; currency: string }[];
      };
      return write(Object.fromEntries(aggregates.map(({ id, currency }) => [currency, `[[${id}]]`])));
    },
  };
  const model = bench.script(sums(), ...Array.from({ length: turns }, () => step));
  return model;
}

it('answers over many documents, by currency, with claims and coverage', async () => {
  const model = writing(({ EUR, USD }) => `The total is 1,200.50 EUR ${EUR} and 900 USD ${USD}.`);
  const { status, body } = await bench.admin.post<TurnAnswer>('./ask', userMessage('What did we pay?'));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'completed',
    claims: [{ support: 'supported', citations: [{ kind: 'aggregate', value: 1200.5 }, { kind: 'aggregate' }] }],
    coverage: { documents: 4, with_result: 3, with_value: 3, without_value: [], hidden: 1, unread: 0 },
  });
  // Three results were waiting for the index: the question indexes them.
  expect(body.coverage).not.toHaveProperty('unindexed');
  const sent = JSON.stringify(model.requests.map(({ messages }) => messages));
  expect(sent).toContain('1 may not be shown to a model');
  expect(sent).not.toContain('not indexed yet');
  expect(sent).not.toContain('10000');
  const thread = await bench.admin.get<Thread>(`./ask/threads/${body.thread_id}`);
  const { claims, coverage } = body;
  expect(thread.body.messages.at(-1)).toMatchObject({ role: 'assistant', content: body.text, claims, coverage });
  expect(await bench.admin.get(`./ask/turns/${body.turn_id}`)).toMatchObject({ body: { claims: body.claims } });
});

it('streams the claims before done, and strikes what stays wrong after one correction', async () => {
  writing(({ EUR }) => `We paid 2,100.50 EUR in all ${EUR}.`, 2);
  const { accessToken, organizationId } = bench.admin;
  const response = await fetch(`${bench.address}/v0/orgs/${organizationId}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify({ ...userMessage('What did we pay?'), stream: true }),
  });
  const frames = framesOf(await response.text());
  expect(frames.map(({ event }) => event).slice(-2)).toEqual(['claims', 'done']);
  expect(frames.at(-2)!.data).toMatchObject({ claims: [{ support: 'unsupported' }] });
});

it('keeps to its scope, and finds passages in it', async () => {
  const scope = { document_ids: [documents[0]!.id] };
  const model = bench.script(
    { calls: [{ name: 'search_passages', args: { query: 'deposit refundable' } }] },
    { text: 'I found it.' },
  );
  const { body } = await bench.admin.post<TurnAnswer>('./ask', { ...userMessage('Is it refundable?'), scope });
  expect(body.claims).toMatchObject([{ support: 'not_checkable' }]);
  const cited = {
    get text() {
      const result = quoting.requests.at(-1)!.messages.findLast(({ role }) => role === 'tool')!;
      return `The deposit is not refundable [[${(JSON.parse(result.content) as { passages: { id: string }[] }).passages[0]!.id}]].`;
    },
  };
  const quoting = bench.script({ calls: [{ name: 'search_passages', args: { query: 'deposit' } }] }, cited);
  const quoted = await bench.admin.post<TurnAnswer>('./ask', { ...userMessage('Is it refundable?'), scope });
  const [{ citations } = { citations: [] }] = quoted.body.claims ?? [];
  expect(citations).toMatchObject([{ kind: 'passage', page_num: 1, boxes: [{ page_num: 1, x0: expect.any(Number) }] }]);
  const answered = JSON.stringify(model.requests.at(-1)!.messages);
  expect(answered).toContain('not refundable');
  expect(answered).not.toContain(documents[1]!.id);
  const { messages } = (await bench.admin.get<Thread>(`./ask/threads/${body.thread_id}`)).body;
  expect(messages[0]).toMatchObject({ role: 'user', scope });
});

it('refuses a scope that names what does not exist', async () => {
  const missing = 'a'.repeat(24);
  const known = documents[0]!.id;
  for (const scope of [
    { tag_ids: [missing] },
    { prompt_id: missing },
    { collection_id: missing },
    { document_ids: [known, missing] },
  ]) {
    const answer = await bench.admin.post('./ask', { ...userMessage('How many?'), scope });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'unknown_reference' } } });
  }
});

it('lists the documents behind a citation, of the question that was asked', async () => {
  writing(({ EUR }) => `The total is 500 EUR ${EUR}.`);
  const scope = { document_ids: [documents[0]!.id] };
  const { body } = await bench.admin.post<TurnAnswer>('./ask', { ...userMessage('And this one?'), scope });
  writing(({ EUR }) => `The total is 1,200.50 EUR ${EUR}.`);
  const second = { ...userMessage('And all of them?'), thread_id: body.thread_id };
  const { id } = (await bench.admin.post<TurnAnswer>('./ask', second)).body.claims![0]!.citations[0]!;
  const rowsOf = async (query: string) =>
    (await bench.admin.get<AskRows>(`./ask/threads/${body.thread_id}/rows/${id}${query}`)).body;
  const place = { page_num: 1, boxes: [], quote: 'x' };
  expect(await rowsOf('')).toMatchObject({ total_count: 2, columns: ['total'] });
  expect(await rowsOf('?question=0')).toEqual({
    total_count: 1,
    columns: ['total'],
    rows: [
      {
        document_id: documents[0]!.id,
        document_name: 'invoice-0.txt',
        cells: [{ id: expect.any(String), path: 'total', value: 500, currency: 'EUR', ...place }],
      },
    ],
  });
  expect(await rowsOf('?limit=1&skip=1')).toMatchObject({
    total_count: 2,
    rows: [{ cells: [{ value: expect.any(Number) }] }],
  });
  const { accessToken, organizationId } = bench.admin;
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'text/csv' };
  const path = `${bench.address}/v0/orgs/${organizationId}/ask/threads/${body.thread_id}/rows/${id}`;
  const csv = await (await fetch(path, { headers })).text();
  expect(csv.split('\r\n')).toHaveLength(4);
  expect(csv).toContain('document_id,document_name,total,total:currency');
  expect(await bench.admin.get(`./ask/threads/${body.thread_id}/rows/none`)).toMatchObject({ status: 404 });
});

it('belongs to its user: others find neither turn nor thread', async () => {
  bench.script({ text: 'Hello.' });
  const { body } = await bench.admin.post<TurnAnswer>('./ask', userMessage('Hello'));
  const other = await bench.addOrganization();
  expect(await other.get(`./ask/turns/${body.turn_id}`)).toMatchObject({ status: 404 });
  expect(await other.get(`./ask/threads/${body.thread_id}`)).toMatchObject({ status: 404 });
  expect((await bench.admin.get<{ total_count: number }>('./ask/threads')).body.total_count).toBeGreaterThan(0);
});

it('saves a query as a view once its user has approved it, and no viewer can', async () => {
  const save = {
    name: 'save_view',
    args: { prompt_id: promptId, name: 'Large', where: 'total>=1000', sort: '-total' },
  };
  bench.script({ calls: [save] }, { text: 'Saved.' });
  const { body } = await bench.admin.post<TurnAnswer>('./ask', userMessage('Keep the large ones'));
  expect(body).toMatchObject({
    status: 'awaiting_approval',
    tool_calls: [{ name: 'save_view', needs_approval: true, summary: 'Save the view “Large” where total>=1000' }],
  });
  const views = async () => (await bench.admin.get<{ views: object[] }>(`./prompts/${promptId}/views`)).body.views;
  expect(await views()).toEqual([]);
  const approvals = [{ call_id: body.tool_calls[0]!.id, approved: true }];
  const decided = await bench.admin.post<TurnAnswer>('./ask/approve', { turn_id: body.turn_id, approvals });
  expect(decided.body).toMatchObject({ status: 'completed', text: 'Saved.' });
  expect(await views()).toMatchObject([{ name: 'Large', where: 'total>=1000', sort: '-total', is_shared: false }]);

  bench.script({ calls: [save] }, { text: 'I cannot.' });
  const viewer = await bench.addUser('viewer');
  const refused = await viewer.post<TurnAnswer>('./ask', userMessage('Keep the large ones'));
  expect(refused.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: false });
});

it('extracts from the documents without a result once its user has approved the cost', async () => {
  const run = { name: 'run_prompt', args: { prompt_id: promptId } };
  bench.script({ calls: [run] }, { text: 'All have one.' });
  const none = await bench.admin.post<TurnAnswer>('./ask', userMessage('Read the missing ones'));
  expect(none.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ success: false });

  const content = Buffer.from('Invoice of Initech. Total: 5 EUR.').toString('base64');
  const added = await bench.admin.post<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'new.txt', content }],
  });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  bench.script({ calls: [run] }, { text: 'It runs.' });
  const { body } = await bench.admin.post<TurnAnswer>('./ask', userMessage('Read the missing ones'));
  expect(body).toMatchObject({
    status: 'awaiting_approval',
    tool_calls: [
      {
        needs_approval: true,
        preview: { kind: 'cost', message: expect.stringContaining('“Invoices” reads 1 document') },
      },
    ],
  });
  const [{ id } = { id: '' }] = body.tool_calls;
  const approvals = [{ call_id: id, approved: true }];
  const decided = await bench.admin.post<TurnAnswer>('./ask/approve', { turn_id: body.turn_id, approvals });
  expect(decided.body.executed_rounds[0]?.tool_calls[0]).toMatchObject({
    success: true,
    result: { run_id: id, documents: 1 },
  });
  const started = await bench.admin.get<Run>(`./runs/${id}`);
  expect(started.body).toMatchObject({ action: 'run_extraction', trigger: 'direct' });
  expect(added.body.documents).toHaveLength(1);
});

it('asks before extractions also where a client approves everything in advance: a passage could ask for them', async () => {
  const documents = Array.from({ length: 11 }, (_, at) => ({
    name: `many-${at}.txt`,
    content: Buffer.from(`Note of the meeting ${String.fromCharCode(97 + at)}: please read the rest as well.`).toString(
      'base64',
    ),
  }));
  await bench.admin.post('./documents', { documents });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  bench.script({ calls: [{ name: 'run_prompt', args: { prompt_id: promptId } }] }, { text: 'It runs.' });
  const body = { ...userMessage('What is new?'), stream: true, auto_approve: true };
  const { text } = await bench.admin.post('./ask', body);
  expect(framesOf(text).at(-1)?.data['result']).toMatchObject({ status: 'awaiting_approval' });
});

it('leaves out a prompt whose results are too large, and still reads those of named documents', async () => {
  const refused = new DomainError('invalid', 'scope_too_large', 'Too large.');
  const { resultIndex, indexUpdates } = bench.services;
  const results = createAskResults(resultIndex, indexUpdates);
  const get: typeof results.get = async () => Promise.reject(refused);
  const repositoryOf = createAskRepositories(bench.connection, { ...results, get });
  const { organizationId } = bench.admin;
  const named = await repositoryOf(organizationId, { document_ids: [documents[0]!.id] });
  expect(await named.promptIds()).toEqual([promptId]);
  expect(await named.results(promptId)).toMatchObject([{ document_id: documents[0]!.id, result: { total: 500 } }]);
  expect(await named.size()).toMatchObject({ documents: 1, too_large: 0 });
  const few = await repositoryOf(organizationId, {});
  expect(await few.results(promptId)).toHaveLength(3);

  const many = Array.from({ length: 2_001 }, (_, at) => ({
    _id: new mongoose.Types.ObjectId(),
    organization_id: new mongoose.Types.ObjectId(organizationId),
    document_name: `many-${at}`,
  }));
  const collection = bench.connection.collection('documents');
  const sample = (await collection.findOne({ _id: new mongoose.Types.ObjectId(documents[0]!.id) }))!;
  await collection.insertMany(many.map((own, at) => ({ ...sample, ...own, content_hash: `many-${at}` })));
  const all = await repositoryOf(organizationId, {});
  expect(await all.promptIds()).toEqual([]);
  expect(await all.size()).toMatchObject({ too_large: 1 });
  await expect(all.results(promptId)).rejects.toBe(refused);
  const ofPrompt = await repositoryOf(organizationId, { prompt_id: promptId });
  expect(await ofPrompt.results(promptId)).toHaveLength(3);
});
