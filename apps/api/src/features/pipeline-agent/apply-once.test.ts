import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { agentConversationModel } from './conversation-model.ts';
import {
  conversationsPath,
  startPipelineAgentTestBench,
  textPipeline,
  type PipelineAgentTestBench,
} from '../../testing/pipeline-agent-test-bench.ts';

// Generous: the test machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: PipelineAgentTestBench;

beforeAll(async () => {
  bench = await startPipelineAgentTestBench();
});
afterAll(() => bench.stop());

it('applies a conversation once, even if the process died before marking it as applied', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  bench.script({ calls: [{ name: 'build_pipeline', args: textPipeline }] }, { text: 'Done.' });
  await bench.send(client, id, 'Build it.');
  const apply = () =>
    client.post<{ collection_id: string }>(`${conversationsPath}/${id}/apply`, { collection_name: 'Texts' });
  const first = await apply();
  expect(first.status).toBe(200);
  // The state after a kill between the two writes.
  const conversations = agentConversationModel(bench.connection);
  const unmarked = { $set: { status: 'active' as const, collection_id: null } };
  await conversations.updateOne({ _id: id }, unmarked);
  expect((await apply()).body).toEqual(first.body);
  const list = async () =>
    (await client.get<{ collections: { id: string }[] }>('/api/v2/collections')).body.collections;
  expect(await list()).toHaveLength(1);

  // A rebuilt pipeline replaces the unmarked collection.
  await conversations.updateOne({ _id: id }, unmarked);
  bench.script(
    { calls: [{ name: 'build_pipeline', args: { ...textPipeline, chunker: { plugin_id: 'page' } } }] },
    { text: 'Done.' },
  );
  await bench.send(client, id, 'By page, please.');
  const second = await apply();
  expect((await list()).map((collection) => collection.id)).toEqual([second.body.collection_id]);
  expect(second.body.collection_id).not.toBe(first.body.collection_id);

  const { collections } = bench.services.pipelines;
  const { source_id } = await bench.get(client, id);
  const application = { source_id, name: 'Twice', pipeline: textPipeline, conversation_id: '5'.repeat(24) };
  const created = await Promise.all(Array.from({ length: 4 }, () => collections(client.actor).apply(application)));
  expect(new Set(created.map((collection) => collection.id)).size).toBe(1);
});
