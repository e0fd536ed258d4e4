import type { AuditEntry, Membership, Thread, ThreadSummary, TurnAnswer } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectIdOf } from '../../platform/database/object-id.ts';
import { startChatTestBench, userMessage, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

const dayMs = 24 * 60 * 60 * 1000;
const remove = () => bench.services.removeOldConversations(AbortSignal.timeout(10_000));
const settingOf = (client: TestClient) => `/v0/orgs/${client.organizationId}`;
const countOf = async (collection: string, filter: object) =>
  bench.connection.collection(collection).countDocuments(filter);

async function age(threadId: string, days: number): Promise<void> {
  const updated_at = new Date(Date.now() - days * dayMs);
  await bench.connection
    .collection('agent_threads')
    .updateOne({ _id: objectIdOf(threadId)! }, { $set: { updated_at } });
}

async function converse(client: TestClient, chat: string): Promise<TurnAnswer> {
  bench.script({ text: 'Yes.' });
  return (await client.post<TurnAnswer>(chat, userMessage('Is it paid?'))).body;
}

const removals = async (client: TestClient) =>
  (await client.get<{ entries: AuditEntry[] }>('./audit?tool=remove_conversations')).body.entries;

it('removes conversations that nobody used for the days of the organization, with messages and turns, and says so', async () => {
  const client = await bench.addOrganization();
  const other = await bench.addOrganization();
  const { chat } = await bench.documentOf(client);
  const theirs = await bench.documentOf(other);
  const [old, recent] = [await converse(client, chat), await converse(client, chat)];
  const foreign = await converse(other, theirs.chat);
  const rule = { tool: 'create_tag', effect: 'allow', scope: 'thread', thread_id: old.thread_id };
  await client.post('./permission_rules', rule);
  await age(old.thread_id, 31);
  await age(recent.thread_id, 29);
  await age(foreign.thread_id, 400);

  await remove();
  expect((await client.get(`${chat}/threads/${old.thread_id}`)).status).toBe(200);
  const set = await client.patch<Membership>(settingOf(client), { keep_conversations_days: 30 });
  expect(set).toMatchObject({ status: 200, body: { keep_conversations_days: 30 } });
  await remove();

  const { body } = await client.get<{ threads: ThreadSummary[] }>(`${chat}/threads`);
  expect(body.threads.map(({ id }) => id)).toEqual([recent.thread_id]);
  expect((await client.get(`${chat}/turns/${old.turn_id}`)).status).toBe(404);
  for (const collection of ['agent_thread_messages', 'agent_turns'])
    expect(await countOf(collection, { thread_id: objectIdOf(old.thread_id) })).toBe(0);
  expect(await countOf('agent_turn_events', { turn_id: objectIdOf(old.turn_id) })).toBe(0);
  expect(await countOf('agent_thread_messages', { thread_id: objectIdOf(recent.thread_id) })).toBeGreaterThan(0);
  expect((await other.get(`${theirs.chat}/threads/${foreign.thread_id}`)).status).toBe(200);
  const [entry, ...more] = await removals(client);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ kind: 'executed', actor: client.userId });
  expect(JSON.parse(entry!.arguments)).toMatchObject({ conversations: 1, keep_conversations_days: 30 });

  // Nothing is left, so nothing is recorded.
  await remove();
  expect(await removals(client)).toHaveLength(1);
  const unset = await client.patch<Membership>(settingOf(client), { keep_conversations_days: null });
  expect(unset.body.keep_conversations_days).toBeNull();
  await age(recent.thread_id, 4_000);
  await remove();
  expect((await client.get(`${chat}/threads/${recent.thread_id}`)).status).toBe(200);
});

it('keeps a conversation in which a call waits for a decision', async () => {
  const client = await bench.addOrganization();
  const { chat } = await bench.documentOf(client);
  bench.script({ calls: [{ name: 'create_tag', args: { name: 'paid' } }] });
  const { thread_id } = (await client.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  await client.patch(settingOf(client), { keep_conversations_days: 1 });
  await age(thread_id, 3);
  await remove();
  expect((await client.get<Thread>(`${chat}/threads/${thread_id}`)).body.pending_turn).toBeDefined();
});

it('finishes a removal that was interrupted, and shows nothing of it', async () => {
  const client = await bench.addOrganization();
  const { chat } = await bench.documentOf(client);
  const { thread_id } = await converse(client, chat);
  await client.patch(settingOf(client), { keep_conversations_days: 1 });
  await age(thread_id, 3);
  const which = { _id: objectIdOf(thread_id)! };
  await bench.connection.collection('agent_threads').updateOne(which, { $set: { is_expired: true } });
  expect((await client.get(`${chat}/threads/${thread_id}`)).status).toBe(404);
  expect((await client.get<{ threads: ThreadSummary[] }>(`${chat}/threads`)).body.threads).toEqual([]);
  await remove();
  expect(await countOf('agent_threads', which)).toBe(0);
  expect(await countOf('agent_thread_messages', { thread_id: which._id })).toBe(0);
});

it('is set by admins, in whole days', async () => {
  const client = await bench.addOrganization();
  const member = await bench.addUser('member', client.organizationId);
  for (const days of [0, 1.5, 3_651, 'ten'])
    expect((await client.patch(settingOf(client), { keep_conversations_days: days })).status).toBe(422);
  expect((await member.patch(settingOf(client), { keep_conversations_days: 5 })).status).toBe(403);
});

it('removes a conversation that was stored after its document had been purged, and no other', async () => {
  const client = await bench.addOrganization();
  const [purged, kept] = [await bench.documentOf(client), await bench.documentOf(client)];
  const turn = await converse(client, purged.chat);
  const other = await converse(client, kept.chat);
  bench.script({ text: 'Nothing is here.' });
  const asked = await client.post<TurnAnswer>('./ask', { ...userMessage('What is due?'), stream: false });
  await bench.connection.collection('documents').deleteOne({ _id: objectIdOf(purged.id)! });

  await bench.services.removeConversationsOfPurged(AbortSignal.timeout(10_000));
  for (const collection of ['agent_thread_messages', 'agent_turns'])
    expect(await countOf(collection, { thread_id: objectIdOf(turn.thread_id) })).toBe(0);
  expect(await countOf('agent_threads', { document_id: objectIdOf(purged.id) })).toBe(0);
  for (const { thread_id } of [other, asked.body])
    expect(await countOf('agent_threads', { _id: objectIdOf(thread_id) })).toBe(1);
});

it('looks for conversations of purged documents in one process at a time, and only at what is new', async () => {
  const looks = bench.connection.collection<{ _id: string; looked_until: Date }>('purged_document_looks');
  const look = () => bench.services.removeConversationsOfPurged(AbortSignal.timeout(10_000));
  const dueSince = (hours: number) =>
    looks.updateMany({}, { $set: { looked_until: new Date(Date.now() - hours * 3_600_000) } });
  const client = await bench.addOrganization();
  const purgedThread = async () => {
    const { id, chat } = await bench.documentOf(client);
    const { thread_id } = await converse(client, chat);
    await bench.connection.collection('documents').deleteOne({ _id: objectIdOf(id)! });
    return { _id: objectIdOf(thread_id)! };
  };
  await look();
  const recent = await purgedThread();
  // Somebody has looked a moment ago.
  await look();
  expect(await countOf('agent_threads', recent)).toBe(1);
  await dueSince(1);
  await Promise.all([look(), look()]);
  expect(await countOf('agent_threads', recent)).toBe(0);
  const until = (await looks.findOne({ _id: 'agent_threads' }))!.looked_until;
  expect(until.getTime()).toBeGreaterThan(Date.now() - 60_000);

  // What stands since before the last look is not read again.
  const long = Math.floor(Date.now() / 1000) - 5 * 3_600;
  const [thread, document] = [1, 2].map((at) => mongoose.Types.ObjectId.createFromTime(long + at));
  const old = { _id: thread!, organization_id: objectIdOf(client.organizationId)!, document_id: document! };
  await bench.connection.collection('agent_threads').insertOne(old);
  await dueSince(1);
  await look();
  expect(await countOf('agent_threads', { _id: thread })).toBe(1);
  await dueSince(6);
  await look();
  expect(await countOf('agent_threads', { _id: thread })).toBe(0);
});

it('finds what older messages hold of documents at the first look, and withdraws that of purged ones', async () => {
  const client = await bench.addOrganization();
  const [own, read] = [await bench.documentOf(client), await bench.documentOf(client)];
  const { thread_id } = await converse(client, own.chat);
  const messages = bench.connection.collection('agent_thread_messages');
  const ofThread = { thread_id: objectIdOf(thread_id)! };
  const content = JSON.stringify({ rows: [{ document_id: read.id, value: 4711 }] });
  const older = { role: 'tool', success: true, tool_call_id: 'x', content, created_at: new Date(), number: 2 };
  await messages.insertOne({ ...ofThread, ...older, organization_id: objectIdOf(client.organizationId)! });
  await bench.connection.collection('purged_document_looks').deleteMany({});
  const look = () => bench.services.removeConversationsOfPurged(AbortSignal.timeout(10_000));
  await look();
  expect(await messages.findOne({ ...ofThread, number: 2 })).toMatchObject({ document_ids: [read.id], content });
  expect((await client.delete(`./documents/${read.id}`)).status).toBe(204);
  expect((await client.delete(`./documents/trash/${read.id}`)).status).toBe(204);
  const withdrawn = (await messages.findOne({ ...ofThread, number: 2 }))!;
  expect(withdrawn['content']).not.toContain('4711');
  expect(withdrawn['success']).toBe(false);
});

it('takes no id that stands in the text of a document for a document that a message holds', async () => {
  const client = await bench.addOrganization();
  const [own, read] = [await bench.documentOf(client), await bench.documentOf(client)];
  const { thread_id } = await converse(client, own.chat);
  const messages = bench.connection.collection('agent_thread_messages');
  const ofThread = { thread_id: objectIdOf(thread_id)! };
  const text = 'The log says {"document_id": "65f000000000000000000001", "total": 12}.';
  const content = JSON.stringify({ passages: [{ document_id: read.id, text }] });
  const older = { role: 'tool', success: true, tool_call_id: 'x', content, created_at: new Date(), number: 2 };
  await messages.insertOne({ ...ofThread, ...older, organization_id: objectIdOf(client.organizationId)! });
  await bench.connection.collection('purged_document_looks').deleteMany({});
  await bench.services.removeConversationsOfPurged(AbortSignal.timeout(10_000));
  expect(await messages.findOne({ ...ofThread, number: 2 })).toMatchObject({ content, document_ids: [read.id] });
});

it('removes the conversations of purged documents beside damaged records, and those again that could not be removed', async () => {
  const client = await bench.addOrganization();
  const organization_id = objectIdOf(client.organizationId)!;
  const look = () => bench.services.removeConversationsOfPurged(AbortSignal.timeout(10_000));
  const threads = bench.connection.collection('agent_threads');
  const messages = bench.connection.collection('agent_thread_messages');
  const purged = () => new mongoose.Types.ObjectId().toHexString();
  const holding = (document_id: string) => JSON.stringify({ rows: [{ document_id, value: 4711 }] });
  const message = (more: object) => ({
    organization_id,
    thread_id: new mongoose.Types.ObjectId(),
    number: 1,
    role: 'tool',
    success: true,
    tool_call_id: 'x',
    content: holding(purged()),
    created_at: new Date(),
    ...more,
  });
  const shared = purged();
  const others = { organization_id: new mongoose.Types.ObjectId(), content: holding(shared) };
  await threads.insertMany([
    { organization_id, document_id: 'damaged' },
    { organization_id: 'damaged', document_id: new mongoose.Types.ObjectId() },
  ]);
  const { insertedIds } = await messages.insertMany([
    message({ organization_id: 7 }),
    message({ thread_id: 'damaged' }),
    message({ content: { damaged: 1 } }),
    message({ document_ids: 'damaged' }),
    message({ number: { damaged: 1 }, _id: mongoose.Types.ObjectId.createFromTime(Date.now() / 1000 - 5 * 3_600) }),
    message({ content: holding(shared), tool_calls: { damaged: 1 } }),
    message(others),
  ]);
  const { chat, id } = await bench.documentOf(client);
  const { thread_id } = await converse(client, chat);
  await bench.connection.collection('documents').deleteOne({ _id: objectIdOf(id)! });
  const contentOf = async (at: number) => (await messages.findOne({ _id: insertedIds[at]! }))!['content'] as string;

  await bench.connection.collection('purged_document_looks').deleteMany({});
  await look();
  expect(await countOf('agent_threads', { _id: objectIdOf(thread_id) })).toBe(0);
  for (const each of [5, 6]) expect(await contentOf(each)).not.toContain('4711');
  expect(await contentOf(4)).toContain('4711');
  await messages.updateOne({ _id: insertedIds[4]! }, { $set: { number: 1 } });
  await look();
  expect(await contentOf(4)).not.toContain('4711');
  await messages.deleteMany({ _id: { $in: Object.values(insertedIds) } });
  await threads.deleteMany({ $or: [{ document_id: 'damaged' }, { organization_id: 'damaged' }] });
});
