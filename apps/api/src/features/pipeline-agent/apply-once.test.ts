import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { agentConversationModel } from './conversation-model.ts';
import {
  conversationsPath,
  startPipelineAgentTestBench,
  textPipeline,
  type PipelineAgentTestBench,
} from '../../testing/pipeline-agent-test-bench.ts';

// A machine with other work to do may take its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: PipelineAgentTestBench;

beforeAll(async () => {
  bench = await startPipelineAgentTestBench();
});
afterAll(() => bench.stop());

it('makes one collection of a conversation, though the process died before it was marked as applied', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  bench.script({ calls: [{ name: 'build_pipeline', args: textPipeline }] }, { text: 'Done.' });
  await bench.send(client, id, 'Build it.');
  const apply = () =>
    client.post<{ collection_id: string }>(`${conversationsPath}/${id}/apply`, { collection_name: 'Texts' });
  const first = await apply();
  expect(first.status).toBe(200);
  // As it stands when the process is killed in between.
  const conversations = agentConversationModel(bench.connection);
  const unmarked = { $set: { status: 'active' as const, collection_id: null } };
  await conversations.updateOne({ _id: id }, unmarked);
  expect((await apply()).body).toEqual(first.body);
  const list = async () =>
    (await client.get<{ collections: { id: string }[] }>('/api/v2/collections')).body.collections;
  expect(await list()).toHaveLength(1);

  // It was built anew before it was applied again: what was applied untold gives way.
  await conversations.updateOne({ _id: id }, unmarked);
  bench.script(
    { calls: [{ name: 'build_pipeline', args: { ...textPipeline, chunker: { plugin_id: 'page' } } }] },
    { text: 'Done.' },
  );
  await bench.send(client, id, 'By page, please.');
  const second = await apply();
  expect((await list()).map((one) => one.id)).toEqual([second.body.collection_id]);
  expect(second.body.collection_id).not.toBe(first.body.collection_id);

  const { collections } = bench.services.pipelines;
  const { source_id } = await bench.get(client, id);
  const application = { source_id, name: 'Twice', pipeline: textPipeline, conversation_id: '5'.repeat(24) };
  const made = await Promise.all(Array.from({ length: 4 }, () => collections(client.actor).apply(application)));
  expect(new Set(made.map((one) => one.id)).size).toBe(1);
});
