import type { AgentMessageEvent } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startAnswerRecorder } from './answer-recorder.ts';
import { createAgentConversationRepository } from './conversation-repository.ts';
import { createConversationLeaseRepository } from './conversation-lease-repository.ts';
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
afterAll(async () => bench.stop());

const build = { name: 'build_pipeline', args: textPipeline };
const analyze = { name: 'spawn_source_analyzer', args: {} };

/** Starts an answer that has built a pipeline and hangs in a sub-agent that has counted the files. */
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

it('shows the answer in progress, and ends it when the user stops it', async () => {
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

it('is not running after its lease expires, and stores the interrupted answer', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const lost = startAnswerRecorder('Lost');
  lost.add({ type: 'text', content: 'Half of' });
  await createConversationLeaseRepository(bench.connection).claim(id, 500, lost.current());
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: { text: 'Half of' }, messages: [] });
  await vi.waitFor(
    async () =>
      expect((await client.get(conversationsPath)).body).toMatchObject({ conversations: [{ is_running: false }] }),
    5_000,
  );
  const stored = { role: 'assistant', content: expect.stringMatching(/^Half of\n\nThe server ended/u) };
  const messages = [{ role: 'user', content: 'Lost' }, stored];
  expect(await bench.get(client, id)).toMatchObject({ is_running: false, progress: null, messages });
  expect((await bench.get(client, id)).summary).toMatch(/^Person: Lost\nAgent: Half of The server ended/u);
  // Stored once, however often it is read.
  expect((await bench.get(client, id)).messages).toHaveLength(2);
});

it('reports no progress once its answer is stored', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const leases = createConversationLeaseRepository(bench.connection);
  const recorder = startAnswerRecorder('Look');
  const { lease } = (await leases.claim(id, 10_000, recorder.current()))!;
  const conversations = createAgentConversationRepository(bench.connection, 60_000);
  await conversations.addMessage(lease, { role: 'user', content: 'Look', tool_calls: [], subagents: [] });
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: { message: 'Look' } });
  await conversations.addMessage(lease, { role: 'assistant', content: 'Seen.', tool_calls: [], subagents: [] });
  expect(await bench.get(client, id)).toMatchObject({ is_running: true, progress: null, messages: [{}, {}] });
});

it('is stopped from another process within seconds, and by abandoning it', async () => {
  const elsewhere = await startHanging();
  // The request of another process.
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
