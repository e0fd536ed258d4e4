import { DocwrightError, type Collection } from '@docwright/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
beforeAll(async () => {
  product = await startSignedInProduct();
  const files = { 'lease.txt': 'The tenant pays rent on the first day.', 'menu.txt': 'Soup of the day.' };
  for (const [name, content] of Object.entries(files)) {
    const { id } = await product.client.documents.upload({ name, content });
    await product.client.documents.waitForText(id);
  }
});
afterAll(() => product.stop());

async function begin(name: string): Promise<string> {
  const { id } = await product.client.sources.create({ name });
  return (await product.client.agentConversations.create({ source_id: id })).id;
}

test('a pipeline is built in a stream and applied; its collection is awaited, searched, updated and deleted', async () => {
  const { sources, agentConversations, collections } = product.client;
  const id = await begin('Everything');
  const stream = agentConversations.stream(id, 'Make it searchable');
  const types = new Set<string>();
  for await (const event of stream) types.add(event.type);
  expect([...types]).toEqual(
    expect.arrayContaining(['status', 'tool_call_start', 'subagent_end', 'pipeline_update', 'text', 'done']),
  );
  expect((await stream.answer()).current_pipeline).not.toBeNull();
  expect((await agentConversations.get(id)).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);

  const { collection_id } = await agentConversations.apply(id, { collection_name: 'All of it' });
  const seen: Collection['status'][] = [];
  const ready = await collections.wait(collection_id, { onProgress: ({ status }) => seen.push(status) });
  expect([ready.status, ready.progress.indexed, seen.at(-1)]).toEqual(['ready', 2, 'ready']);
  const { results } = await collections.search(collection_id, { query: 'rent', top_k: 1 });
  expect(results).toMatchObject([{ document_name: 'lease.txt', page_num: 1, start: 0 }]);
  await expect(collections.stop(collection_id)).rejects.toMatchObject({ status: 409, code: 'not_indexing' });

  const late = await product.client.documents.upload({ name: 'late.txt', content: 'Rent went up.' });
  await product.client.documents.waitForText(late.id);
  expect((await collections.get(collection_id)).changes).toMatchObject({ added: 1, removed: 0 });
  expect((await collections.update(collection_id)).status).toBe('indexing');
  expect((await collections.wait(collection_id)).progress.indexed).toBe(3);

  const named = [];
  for await (const each of collections.listAll()) named.push(each.name);
  expect(named).toEqual(['All of it']);
  await collections.delete(collection_id);
  await expect(collections.get(collection_id)).rejects.toMatchObject({ status: 404 });
  const { sources: kept } = await sources.list();
  expect(kept).toMatchObject([{ name: 'Everything', document_count: 3 }]);
});

test('a conversation answers as JSON, its uncertainties are resolved, and it is abandoned', async () => {
  const { agentConversations } = product.client;
  const id = await begin('Another');
  const answer = await agentConversations.say(id, 'Make it searchable');
  expect(answer).toMatchObject({ status: 'active', current_pipeline: { chunker: {} } });
  expect(answer.text).not.toBe('');
  expect(await agentConversations.waitForAnswer(id)).toMatchObject({ id, is_running: false, progress: null });
  await expect(agentConversations.stop(id)).rejects.toMatchObject({ status: 409, code: 'not_running' });
  await expect(agentConversations.resolve(id, 'f'.repeat(24), 'user_confirmed')).rejects.toMatchObject({ status: 404 });
  expect((await agentConversations.abandon(id)).status).toBe('abandoned');
  const refused = agentConversations.stream(id, 'Go on').answer();
  await expect(refused).rejects.toBeInstanceOf(DocwrightError);
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'conversation_not_active' });
});

test('plugins are listed by kind', async () => {
  const { plugins } = await product.client.plugins.list('chunker');
  expect(plugins.map(({ id }) => id)).toEqual(expect.arrayContaining(['page', 'recursive', 'heading']));
});
