import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newId } from '../../platform/database/object-id.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { thisProcess } from '../../platform/leases/process-identity.ts';
import { describeLeaseOfProcess } from '../../platform/leases/testing/lease-suite.ts';
import { createTaskConversationRepository, type TaskConversationRepository } from './task-conversation-repository.ts';

let connections: Connection[];
/** The repositories of two processes on one database. */
let one: TaskConversationRepository;
let other: TaskConversationRepository;
beforeAll(async () => {
  const uri = newTestDatabase();
  connections = await Promise.all([connectDatabase(uri), connectDatabase(uri)]);
  [one, other] = connections.map(createTaskConversationRepository) as [typeof one, typeof other];
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
});

afterEach(() => vi.useRealTimers());

const owner = { organizationId: newId(), userId: newId() };

it('gives each conversation and message a unique number over all processes', async () => {
  const created = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).create(owner, 'x')));
  expect(created.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  const message = { role: 'user' as const, content: 'x', tool_calls: [] };
  const messages = await Promise.all(
    created.map(async (each, at) => {
      const repository = at % 2 ? one : other;
      return await repository.addMessage(each, (await repository.claim(each, 60_000)) ?? '', message);
    }),
  );
  expect(new Set(messages.map(({ id }) => id)).size).toBe(20);
});

describeLeaseOfProcess('a conversation about tasks', async () => {
  const conversation = await one.create(owner, 'x');
  let turn = 0;
  const answered = { role: 'assistant' as const, content: 'Done.', tool_calls: [] };
  const set = async (fields: object) =>
    void (await connections[0]!
      .collection('task_conversations')
      .updateOne({ number: conversation.id }, { $set: fields }));
  const write = async (token: string) =>
    await one.addMessage(conversation, token, answered).then(
      () => true,
      () => false,
    );
  return {
    claim: () => (turn++ % 2 === 0 ? one : other).claim(conversation, 60_000),
    renew: (token: string) => one.renew(conversation, token, 60_000),
    write,
    release: (token: string) => other.release(conversation, token),
    expire: () => set({ 'answering.until': new Date(0) }),
    killHolder: () => set({ 'answering.holder': { ...thisProcess, instance: 'killed' } }),
  };
});

it.each([1, -1])('is leased independently of the process clock, %i hours ahead', async (hoursAhead) => {
  const conversation = await one.create(owner, 'x');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
  expect(await one.claim(conversation, 60_000)).toBeDefined();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hoursAhead * 3_600_000 });
  expect(await other.claim(conversation, 60_000)).toBeUndefined();
});

it('is free after its lease expires, and the previous holder cannot add messages', async () => {
  const conversation = await one.create(owner, 'x');
  const frozen = (await one.claim(conversation, 20))!;
  await vi.waitFor(async () => expect(await other.claim(conversation, 60_000)).toBeDefined(), 10_000);
  const late = one.addMessage(conversation, frozen, { role: 'assistant', content: 'Done.', tool_calls: [] });
  await expect(late).rejects.toMatchObject({ code: 'answer_interrupted' });
  expect(await one.messages(conversation)).toEqual([]);
});

it('stores calls with arbitrary keys', async () => {
  const conversation = await one.create(owner, 'x');
  const tool_calls = [
    { tool_name: 'add_task', arguments: { $where: 1, 'a.b': { $set: null } }, result: { error: 'no' } },
  ];
  const token = (await one.claim(conversation, 60_000)) ?? '';
  await one.addMessage(conversation, token, { role: 'assistant', content: 'No.', tool_calls });
  expect(await other.messages(conversation)).toMatchObject([{ role: 'assistant', tool_calls }]);
});
