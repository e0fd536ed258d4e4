import fs from 'node:fs';
import { Readable } from 'node:stream';
import { createDocwright, type TurnEvent, type UploadProgress } from '@docwright/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invoice, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
beforeAll(async () => {
  product = await startSignedInProduct({ settings: { MAX_UPLOAD_MB: '1' } });
});
afterAll(() => product.stop());

describe('uploads', () => {
  const text = 'Invoice INV-1042\nTotal: 5 EUR\n';
  const bytes = new TextEncoder().encode(text);

  test.each([
    ['bytes', () => bytes],
    ['text', () => text],
    ['a blob', () => new Blob([bytes])],
    ['a web stream', () => new Blob([bytes]).stream()],
    ['a stream of Node.js', () => Readable.from([bytes])],
  ])('take %s', async (kind, content) => {
    const name = `quoted "${kind}" größe.txt`;
    const document = await product.client.documents.upload({ name, content: content() });
    expect(document.document_name).toBe(name);
    const { pages } = await product.client.documents
      .waitForText(document.id)
      .then(({ id }) => product.client.documents.text(id));
    expect(pages[0]?.text).toContain('INV-1042');
  });

  test('take a path, report their progress, and are downloaded unchanged', async () => {
    const told: UploadProgress[] = [];
    const tag = await product.client.tags.create({ name: 'paid' });
    const document = await product.client.documents.upload(invoice, {
      tag_ids: [tag.tag_id],
      metadata: { from: 'a test' },
      onProgress: (progress) => told.push(progress),
    });
    const { size } = fs.statSync(invoice);
    expect(document).toMatchObject({ size_bytes: size, tag_ids: [tag.tag_id], metadata: { from: 'a test' } });
    expect(told[0]).toEqual({ name: 'contoso-invoice.pdf', index: 0, loaded: 0, total: size });
    expect(told.at(-1)?.loaded).toBe(size);
    const file = await product.client.documents.file(document.id);
    expect(Buffer.from(await file.arrayBuffer()).equals(fs.readFileSync(invoice))).toBe(true);
  });

  test('fail for a missing file, and report the server’s refusals', async () => {
    const { documents } = product.client;
    await expect(documents.upload('/nowhere/invoice.pdf')).rejects.toMatchObject({ code: 'unreadable_file' });
    const zeros = { name: 'zeros.bin', content: new Uint8Array(100_000) };
    await expect(documents.upload(zeros)).rejects.toMatchObject({ status: 415, code: 'unsupported_file_type' });
    // One of the sent chunks ends exactly at the limit.
    const large = { name: 'large.txt', content: 'a line of text\n'.repeat(100_000) };
    await expect(documents.upload(large)).rejects.toMatchObject({ status: 413, code: 'file_too_large' });
  });
});

test('a conversation asks, is decided step by step, and can be undone', async () => {
  const { client } = product;
  const { id } = await client.documents.upload(invoice);
  await client.documents.waitForText(id);
  const conversation = client.conversation(id);
  const events: TurnEvent['type'][] = [];
  const onEvent = ({ type }: TurnEvent) => events.push(type);

  let turn = await conversation.say('create a schema for this invoice and extract it', { onEvent });
  expect(turn).toMatchObject({ status: 'awaiting_approval', tool_calls: [{ name: 'create_schema' }] });
  expect(events).toContain('assistant_text_chunk');
  const asked: string[] = [];
  while (turn.status === 'awaiting_approval') {
    asked.push(...turn.tool_calls.map(({ name }) => name));
    turn = await conversation.approve();
  }
  expect(asked).toEqual(['create_schema', 'create_prompt', 'run_extraction']);
  expect(turn.status).toBe('completed');
  const { result } = await client.extractions.latest(id);
  expect(result).toMatchObject({ invoice_number: 'INV-100' });

  const replayed = client.chat.events(id, turn.turn_id);
  expect((await replayed.answer()).status).toBe('awaiting_approval');
  const { threads } = await client.chat.threads.list(id);
  expect(threads.map((thread) => thread.id)).toEqual([turn.thread_id]);
  const { latest_turn } = await client.chat.threads.latestTurn(id, turn.thread_id);
  expect(latest_turn).toMatchObject({ turn_id: turn.turn_id, status: 'completed' });
  const { entries } = await client.audit.list({ turn_id: turn.turn_id, limit: 100 });
  expect(entries.filter(({ kind }) => kind === 'executed')).not.toHaveLength(0);
  const { undone } = await conversation.undo();
  expect(undone.map(({ tool }) => tool)).toEqual(['run_extraction', 'create_prompt', 'create_schema']);
  await expect(client.extractions.latest(id)).rejects.toMatchObject({ code: 'no_extraction', status: 404 });

  const second = await conversation.say('create a schema for this invoice and extract it');
  expect(second.thread_id).toBe(turn.thread_id);
  const rejected = await conversation.reject('not now');
  expect(JSON.stringify(rejected.executed_rounds)).toContain('not now');
  await expect(conversation.approve()).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('every area answers', async () => {
  const { client } = product;
  const { organizations } = await client.auth.me();
  const organizationId = await client.organizationId();
  expect(organizations.map(({ id }) => id)).toEqual([organizationId]);
  expect((await client.organizations.get()).id).toBe(organizationId);
  expect((await client.members.list()).members).toHaveLength(1);
  expect((await client.accessTokens.list()).access_tokens).toHaveLength(1);
  expect((await client.models.list({ chat_only: true })).models.map(({ id }) => id)).toEqual(['demo-rules-1']);
  expect((await client.providers.list()).providers[0]?.name).toBe('default');
  expect(await client.usage.setBudget({ spu_limit: 100_000, period: 'month' })).toMatchObject({ spu_limit: 100_000 });
  expect((await client.usage.get()).spu_limit).toBe(100_000);
  const rule = await client.permissionRules.create({ tool: 'delete_*', effect: 'deny', scope: 'organization' });
  expect((await client.permissionRules.list()).permission_rules.map(({ id }) => id)).toEqual([rule.id]);
  await client.permissionRules.delete(rule.id);

  const amount = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  const response_format = {
    type: 'json_schema' as const,
    json_schema: { name: 'amount', schema: { ...amount, additionalProperties: false } },
  };
  const schema = await client.schemas.create({ name: 'Amount', response_format });
  expect(await client.schemas.validate(schema.schema_revid, { total: 'x' })).toMatchObject({ valid: false });
  const prompt = await client.prompts.create({ name: 'Read it', content: 'Read.', schema_id: schema.schema_id });
  const changed = await client.prompts.update(prompt.prompt_id, { content: 'Read well.' });
  expect((await client.prompts.versions(prompt.prompt_id)).total_count).toBe(changed.prompt_version);
  const { id } = await client.documents.upload({ name: 'note.txt', content: 'Total: 5' });
  await client.documents.waitForText(id);
  const extraction = await client.extractions.run(id, changed.prompt_revid);
  const { prompt_revid, version } = extraction;
  const patched = await client.extractions.patch(id, prompt_revid, { path: 'total', value: 7, base_version: version });
  expect(patched.result).toEqual({ total: 7 });
  expect((await client.extractions.setVerified(id, prompt_revid, true)).is_verified).toBe(true);
  await client.documents.update(id, { document_name: 'renamed.txt' });
  const names: string[] = [];
  for await (const { document_name } of client.documents.listAll({ limit: 2 })) names.push(document_name);
  expect(names).toContain('renamed.txt');
  expect(names.length).toBeGreaterThan(2);
  const { tag_id } = await client.tags.create({ name: 'Seen' });
  const body = { query: { name_search: 'renamed' }, action: 'tag' as const, tag_ids: [tag_id], expected_count: 1 };
  const job = await client.bulk.wait((await client.bulk.start(body)).id);
  expect(job).toMatchObject({ state: 'completed', succeeded: 1 });
  expect((await client.documents.get(id)).tag_ids).toEqual([tag_id]);
  await client.bulk.undo(job.id);
  expect((await client.bulk.wait(job.id)).undo).toMatchObject({ state: 'completed', undone: 1 });
  await client.documents.delete(id);
  await expect(client.documents.get(id)).rejects.toMatchObject({ status: 404 });
  expect((await client.trash.list({ name_search: 'renamed' })).documents).toMatchObject([{ id }]);
  expect((await client.trash.restore(id)).document_name).toBe('renamed.txt');
});

test('a client without a sign-in gets an error that says so', async () => {
  const nobody = createDocwright({ baseUrl: product.url });
  await expect(nobody.documents.list()).rejects.toMatchObject({ status: 401, code: 'not_signed_in' });
});

test('the to-do list is edited by hand and by conversation', async () => {
  const { tasks } = product.client;
  const { id } = await tasks.create({ title: 'call the bank', due_at: '2026-11-27' });
  await tasks.create({ title: 'pay rent' });
  const said = await tasks.say('complete the bank call');
  expect(said.tool_calls.map(({ tool_name }) => tool_name)).toEqual(['list_tasks', 'complete_task']);
  expect(await tasks.get(id)).toMatchObject({ is_completed: true });
  await tasks.say('delete it', said.conversation_id);
  await expect(tasks.get(id)).rejects.toMatchObject({ status: 404, code: 'task_not_found' });
  const [left] = (await tasks.list({ is_completed: false })).tasks;
  expect(await tasks.complete(left!.id)).toMatchObject({ title: 'pay rent', is_completed: true });
  expect((await tasks.conversation(said.conversation_id)).messages).toHaveLength(4);
});

test('columns are designed by conversation, converted to a schema, and read back from it', async () => {
  const { schemaChat, schemas } = product.client;
  const project = { currentColumns: [], projectId: 'p' };
  const messages = [{ role: 'user' as const, content: 'I need to extract invoice data' }];
  const asked = await schemaChat.chat({ messages, settings: {}, ...project });
  const toolDecisions = asked.pendingTools.map((call) => ({ ...call, approved: true }));
  const { updatedColumns, toolMessages } = await schemaChat.execute({ toolDecisions, ...project });
  expect(updatedColumns.map(({ name }) => name)).toContain('Invoice date');
  const history = [...messages, ...asked.newMessages, ...toolMessages];
  const told = await schemaChat.chat({ ...project, messages: history, settings: {}, currentColumns: updatedColumns });
  expect(told).toMatchObject({
    assistantMessage: expect.stringContaining('Done: add **Invoice number**'),
    pendingTools: [],
  });
  const { schema_revid } = await schemas.fromColumns({ name: 'Invoices', columns: updatedColumns, multi_row: true });
  const { columns, multi_row } = await schemas.columns(schema_revid);
  expect([columns.map(({ name, type }) => [name, type]), multi_row]).toEqual([
    updatedColumns.map(({ name, type }) => [name, type]),
    true,
  ]);
});
