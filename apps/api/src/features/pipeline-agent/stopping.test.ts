import type { AgentMessageEvent } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startAnswer } from './answer-under-way.ts';
import { createAgentConversationRepository } from './conversation-repository.ts';
import { createConversationLeaseRepository } from './conversation-lease-repository.ts';
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
afterAll(async () => bench.stop());

const build = { name: 'build_pipeline', args: textPipeline };
const analyze = { name: 'spawn_source_analyzer', args: {} };

/** A message whose answer has built a pipeline and hangs in a sub-agent that has counted the files. */
async function startHanging() {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const model = bench.script(
    { text: 'I build it.', calls: [build] },
    { text: 'Now I look.', calls: [analyze] },
    { text: 'Hm', hangs: true },
  );
  const streamed = bench.stream(client, id, 'Build one');
  await vi.waitFor(() => expect(model.requests).toHaveLength(3), 10_000);
  return { client, id, path: `${conversationsPath}/${id}`, streamed };
}

it('shows what is being answered, and ends it where the person stops it', async () => {
  const { client, id, path, streamed } = await startHanging();
  await vi.waitFor(
    async () =>
      expect(await bench.get(client, id)).toMatchObject({
        is_running: true,
        progress: {
          message: 'Build one',
          text: 'I build it.\n\nNow I look.',
          tool_calls: [
            { name: 'build_pipeline', success: true },
            { name: 'spawn_source_analyzer', success: null },
          ],
          subagents: [
            {
              agent_id: 'source_analyzer',
              steps: ['Counts the files', 'Chooses files to look at'],
              success: null,
              summary: null,
            },
          ],
        },
      }),
    10_000,
  );
  expect((await client.get(conversationsPath)).body).toMatchObject({ conversations: [{ id, is_running: true }] });
  const stopped = await client.post(`${path}/stop`, {});
  expect([stopped.status, stopped.body]).toMatchObject([
    200,
    {
      is_running: false,
      progress: null,
      status: 'active',
      current_pipeline: { chunker: { plugin_id: 'recursive' } },
      messages: [
        { role: 'user' },
        {
          content: expect.stringMatching(/^I build it\.\n\nNow I look\.\n\nYou stopped me here/),
          tool_calls: [{ tool_name: 'build_pipeline', result: { current_pipeline: expect.anything() } }],
          subagents: [
            { agent_id: 'source_analyzer', steps: ['Counts the files', 'Chooses files to look at'], success: false },
          ],
        },
      ],
    },
  ]);
  expect((await streamed).at(-1)).toMatchObject<Partial<AgentMessageEvent>>({ type: 'done' });
  const again = await client.post(`${path}/stop`, {});
  expect([again.status, again.error?.code]).toEqual([409, 'not_running']);
  bench.script({ text: 'Going on.' });
  expect((await bench.send(client, id, 'Go on')).body.text).toBe('Going on.');
});

it('is not running once its lease is over, and says that it was interrupted', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const lost = startAnswer('Lost');
  lost.add({ type: 'text', content: 'Half of' });
  await createConversationLeaseRepository(bench.connection).take(id, 500, lost.now());
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: { text: 'Half of' }, messages: [] });
  await vi.waitFor(
    async () =>
      expect((await client.get(conversationsPath)).body).toMatchObject({ conversations: [{ is_running: false }] }),
    5_000,
  );
  const kept = { role: 'assistant', content: expect.stringMatching(/^Half of\n\nThe server ended/u) };
  const messages = [{ role: 'user', content: 'Lost' }, kept];
  expect(await bench.get(client, id)).toMatchObject({ is_running: false, progress: null, messages });
  expect((await bench.get(client, id)).summary).toMatch(/^Person: Lost\nAgent: Half of The server ended/u);
  // Once, however often it is looked at.
  expect((await bench.get(client, id)).messages).toHaveLength(2);
});

it('is not told as under way once its answer is kept', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const leases = createConversationLeaseRepository(bench.connection);
  const under = startAnswer('Look');
  const { lease } = (await leases.take(id, 10_000, under.now()))!;
  const conversations = createAgentConversationRepository(bench.connection, 60_000);
  await conversations.addMessage(lease, { role: 'user', content: 'Look', tool_calls: [], subagents: [] });
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: { message: 'Look' } });
  await conversations.addMessage(lease, { role: 'assistant', content: 'Seen.', tool_calls: [], subagents: [] });
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: null, messages: [{}, {}] });
});

it('is stopped from another process within seconds, and by abandoning it', async () => {
  const elsewhere = await startHanging();
  // What a process that does not answer it does.
  await createConversationLeaseRepository(bench.connection).requestStop(elsewhere.id);
  await vi.waitFor(async () => expect((await bench.get(elsewhere.client, elsewhere.id)).is_running).toBe(false), 4_000);
  expect((await elsewhere.streamed).at(-1)?.type).toBe('done');

  const { client, path, streamed } = await startHanging();
  expect((await client.patch(path, { status: 'abandoned' })).body).toMatchObject({
    status: 'abandoned',
    is_running: false,
    messages: [{ role: 'user' }, { content: expect.stringContaining('stopped') }],
  });
  expect((await streamed).at(-1)).toMatchObject({ type: 'done' });
});
