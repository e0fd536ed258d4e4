import { historyIn } from '@docwright/agent-core/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type Collection } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentConversationModel, agentMessageModel } from './conversation-model.ts';
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
const leases = () => createConversationLeaseRepository(bench.connection);
const repository = () => createAgentConversationRepository(bench.connection, 60_000);

async function addBlocking(id: string): Promise<string> {
  const lease = (await leases().claim(id, 10_000))!.lease;
  const [added] = await repository().addUncertainties(lease, [{ severity: 'blocking', message: 'Half of it failed.' }]);
  await leases().release(lease);
  return added!.id;
}

describe('a conversation', () => {
  it('builds a pipeline, asks before applying it, and is applied by the user', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const model = bench.script(
      { calls: [{ name: 'list_plugins' }, { name: 'list_templates' }] },
      { text: 'I build it.', calls: [build] },
      { text: 'I propose this.', calls: [{ name: 'apply_pipeline', args: { collection_name: 'Texts' } }] },
    );
    const events = await bench.stream(client, id, 'Make it searchable');
    model.assertFinished();
    const types = events.map(({ type }) => type);
    for (const type of ['status', 'tool_call_start', 'tool_call_end', 'text', 'pipeline_update', 'question'] as const) {
      expect(types).toContain(type);
    }
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { status: 'active' } });
    expect(events.find(({ type }) => type === 'question')).toMatchObject({ collection_name: 'Texts' });
    const kept = await bench.get(client, id);
    expect(kept).toMatchObject({
      status: 'active',
      collection_id: null,
      current_pipeline: { chunker: { plugin_id: 'recursive' } },
      messages: [{ role: 'user', content: 'Make it searchable' }, { role: 'assistant' }],
      question: { question: 'apply_pipeline', collection_name: 'Texts', message: expect.stringContaining('“Texts”') },
    });
    // How much of the text was written before each call.
    const [, answer] = kept.messages;
    const written = answer!.tool_calls.map(({ tool_name, text_before }) => [
      tool_name,
      answer!.content.slice(0, text_before),
    ]);
    expect(written.slice(0, 3)).toEqual([
      ['list_plugins', ''],
      ['list_templates', ''],
      ['build_pipeline', 'I build it.'],
    ]);
    const path = `${conversationsPath}/${id}`;
    const applied = await client.post<{ collection_id: string }>(`${path}/apply`, { collection_name: 'Texts' });
    expect([applied.status, applied.body]).toMatchObject([200, { collection_name: 'Texts', status: 'indexing' }]);
    const { collection_id } = applied.body;
    expect((await client.get<Collection>(`/api/v2/collections/${collection_id}`)).body.name).toBe('Texts');
    expect(await bench.get(client, id)).toMatchObject({ status: 'applied', collection_id, question: null });
    const late = await bench.send(client, id, 'More');
    expect([late.status, late.error?.code]).toEqual([400, 'conversation_not_active']);
    expect((await client.post(`${path}/apply`, { collection_name: 'Again' })).error?.code).toBe(
      'conversation_not_active',
    );
    expect((await client.patch(path, { status: 'abandoned' })).error?.code).toBe('conversation_not_active');
  });

  it('is not applied while an uncertainty blocks: the user can force it, the model cannot', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const path = `${conversationsPath}/${id}`;
    expect((await client.post(`${path}/apply`, { collection_name: 'X', force: true })).error?.code).toBe('no_pipeline');
    const uncertaintyId = await addBlocking(id);
    const apply = (args: object) => ({ name: 'apply_pipeline', args: { collection_name: 'X', ...args } });
    bench.script(
      { calls: [build] },
      { calls: [apply({})] },
      { calls: [apply({ force: true })] },
      { text: 'It is blocked.' },
    );
    const { body } = await bench.send(client, id, 'Apply it by force');
    expect(body.tool_calls.slice(1)).toMatchObject([
      { result: { error: expect.stringContaining('Half of it failed') } },
      { result: { error: expect.stringContaining('do not fit') } },
    ]);
    expect(await bench.get(client, id)).toMatchObject({ status: 'active', collection_id: null });
    const refused = await client.post(`${path}/apply`, { collection_name: 'X' });
    expect([refused.status, refused.error?.code]).toEqual([400, 'blocking_uncertainty']);
    const resolved = await client.patch(`${path}/uncertainties/${uncertaintyId}`, { resolved_by: 'user_confirmed' });
    expect(resolved.body).toMatchObject({ uncertainties: [{ resolved: true, resolved_by: 'user_confirmed' }] });
    const another = await addBlocking(id);
    expect(another).not.toBe(uncertaintyId);
    expect((await client.post(`${path}/apply`, { collection_name: 'X', force: true })).status).toBe(200);
  });

  it('stores no pipeline that cannot be applied, and reports the errors', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const built = (change: object) => ({ calls: [{ name: 'build_pipeline', args: { ...textPipeline, ...change } }] });
    bench.script(
      built({ extract: { prompt_revid: '0'.repeat(24) } }),
      built({ embedder: { plugin_id: 'openai_compatible' } }),
      built({ chunker: { plugin_id: 'made_up' } }),
      { calls: [{ name: 'list_plugins', args: { kind: 'embedder' } }] },
      { text: 'I cannot.' },
    );
    const { body } = await bench.send(client, id, 'Build one');
    expect(body.tool_calls.map(({ result }) => result)).toMatchObject([
      { error: expect.stringContaining('no such prompt revision') },
      { error: expect.stringContaining('No embeddings model') },
      { error: expect.stringContaining('There are: recursive') },
      { plugins: [{ id: 'openai_compatible', description: expect.stringContaining('leave the embedder null') }] },
    ]);
    expect(body.current_pipeline).toBeNull();
  });

  it('keeps the chosen model, which must be available', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const { source_id, model: none } = await bench.get(client, id);
    expect(none).toBeNull();
    const [offered] = (await client.get<{ models: { id: string }[] }>('./llm/models?chat_only=true')).body.models;
    const path = `${conversationsPath}/${id}/messages`;
    for (const refused of [
      await client.post(path, { message: 'Hi', model: 'made-up' }),
      await client.post(conversationsPath, { source_id, model: 'made-up' }),
    ]) {
      expect([refused.status, refused.error?.code]).toEqual([400, 'model_not_enabled']);
    }
    expect((await bench.get(client, id)).messages).toEqual([]);
    const model = bench.script({ text: 'Hello.' }, { text: 'Hello again.' });
    await client.post(path, { message: 'Hi', model: offered!.id });
    await bench.send(client, id, 'Hi again');
    expect(model.requests.map(({ model }) => model)).toEqual([offered!.id, offered!.id]);
    expect((await bench.get(client, id)).model).toBe(offered!.id);
  });

  it('belongs to one user, and to a source of their organization', async () => {
    const client = await bench.addOrganization();
    const stranger = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const colleague = await bench.addUser('member', client.organizationId).catch(() => stranger);
    for (const other of [stranger, colleague]) {
      expect((await other.get(`${conversationsPath}/${id}`)).error?.code).toBe('conversation_not_found');
      expect((await bench.send(other, id, 'Hi')).status).toBe(404);
      expect((await other.post(`${conversationsPath}/${id}/apply`, { collection_name: 'X' })).status).toBe(404);
    }
    const { source_id } = await bench.get(client, id);
    expect((await stranger.post(conversationsPath, { source_id })).status).toBe(404);
    expect((await bench.send(client, id, ' ')).status).toBe(422);
    expect((await client.get(conversationsPath)).body).toMatchObject({ total_count: 1, conversations: [{ id }] });
    expect((await client.patch(`${conversationsPath}/${id}`, { status: 'abandoned' })).body).toMatchObject({
      status: 'abandoned',
    });
    expect((await bench.send(client, id, 'Hi')).error?.code).toBe('conversation_not_active');
  });
});

describe('one answer at a time', () => {
  it('is leased across processes, and free once its process has died', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    const dead = (await leases().claim(id, 1_500))!.lease;
    const refused = await bench.send(client, id, 'Hi');
    expect([refused.status, refused.error?.code]).toEqual([409, 'message_running']);
    expect((await client.post(`${conversationsPath}/${id}/apply`, { collection_name: 'X' })).status).toBe(409);
    await repository().addMessage(dead, { role: 'user', content: 'Lost', tool_calls: [], subagents: [] });
    await sleep(1_600);
    const model = bench.script({ text: 'Here I am.' });
    expect((await bench.send(client, id, 'Still there?')).body.text).toBe('Here I am.');
    expect(historyIn(model.requests[0])).toEqual([
      { role: 'user', content: 'Lost' },
      expect.objectContaining({ role: 'assistant', content: 'I could not answer this message.' }),
      { role: 'user', content: 'Still there?' },
    ]);
    expect((await leases().renew(dead, 1_000)).isHeld).toBe(false);
    const { lease: next } = (await leases().claim(id, 10_000))!;
    await leases().release(dead);
    expect(await leases().claim(id, 10_000)).toBeUndefined();
    await leases().release(next);
    await expect(repository().change(dead, { summary: 'x' })).rejects.toMatchObject({
      code: 'conversation_taken_over',
    });
  });

  it('a failed answer ends with an error of the model, and the conversation continues', async () => {
    const client = await bench.addOrganization();
    const id = await bench.startConversation(client);
    bench.script({ error: new DomainError('model_failed', 'model_unavailable', 'The model failed.') });
    expect((await bench.send(client, id, 'Hi')).status).toBe(502);
    bench.script({ calls: [build] }, { error: new DomainError('rate_limited', 'model_rate_limited', 'Later.') });
    const events = await bench.stream(client, id, 'Build');
    expect(events.at(-1)).toEqual({ type: 'error', code: 'model_rate_limited', message: 'Later.' });
    expect((await bench.get(client, id)).messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'I could not answer this. The model failed.' },
      { role: 'user' },
      { role: 'assistant', content: 'I could not finish. Later. What I did until then stays.' },
    ]);
    bench.script({ text: 'Fine.' });
    expect((await bench.send(client, id, 'And now?')).body).toMatchObject({
      text: 'Fine.',
      current_pipeline: { chunker: { plugin_id: 'recursive' } },
    });
  });
});

it('continues from the summary when its messages have expired', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  bench.script({ calls: [build] }, { text: 'Built for leases.' });
  await bench.send(client, id, 'Build one for leases');
  await agentMessageModel(bench.connection).updateMany({}, { $set: { expires_at: new Date(0) } });
  expect(await bench.get(client, id)).toMatchObject({
    messages: [],
    summary: expect.stringContaining('Built for leases'),
  });
  const model = bench.script({ text: 'We had built one.' });
  await bench.send(client, id, 'Where were we?');
  const { messages } = model.requests[0]!;
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system']);
  expect(messages[2]?.content).toContain('Built for leases');
  expect(messages[2]?.content).toContain('"plugin_id":"recursive"');
  expect(await agentConversationModel(bench.connection).countDocuments({ lock: { $ne: null } })).toBe(0);
});

it('keeps finished steps when its server stops during an answer, and accepts the next message', async () => {
  const client = await bench.addOrganization();
  const id = await bench.startConversation(client);
  const model = bench.script({ calls: [build] }, { text: 'And now', hangs: true });
  const interrupted = bench.send(client, id, 'Build one');
  await vi.waitFor(() => expect(model.requests).toHaveLength(2), 10_000);
  expect((await bench.send(client, id, 'Hurry')).error?.code).toBe('message_running');
  await bench.services.agentMessages.stop();
  const { status, error } = await interrupted;
  expect([status, error?.code]).toEqual([503, 'message_interrupted']);
  expect(await bench.get(client, id)).toMatchObject({
    status: 'active',
    current_pipeline: { chunker: { plugin_id: 'recursive' } },
    messages: [{ role: 'user' }, { role: 'assistant', content: expect.stringContaining('And now') }],
  });
  const next = await leases().claim(id, 1_000);
  expect(next).toBeDefined();
  await leases().release(next!.lease);
});
