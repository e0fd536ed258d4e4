import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectDatabase } from '../db/connection.ts';
import { newId } from '../db/object-id.ts';
import { newTestDatabase } from '../testing/test-database.ts';
import { createTaskConversationRepository, type TaskConversationRepository } from './task-conversation-repository.ts';

let connections: Connection[];
/** As two processes on one database have them. */
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

const owner = { organizationId: newId(), userId: newId() };

it('gives each conversation and message a number of its own, from the first on, in whichever process', async () => {
  const begun = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).create(owner, 'x')));
  expect(begun.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  const said = { role: 'user' as const, content: 'x', tool_calls: [] };
  const messages = await Promise.all(begun.map((each, at) => (at % 2 ? one : other).addMessage(each, said)));
  expect(new Set(messages.map(({ id }) => id)).size).toBe(20);
});

it('is taken by one at a time, and free again when it was given back or its time is over', async () => {
  const conversation = await one.create(owner, 'x');
  const taken = await Promise.all([one, other, one, other].map((each) => each.take(conversation, 60_000)));
  const [token, ...more] = taken.filter((each) => each !== undefined);
  expect(more).toEqual([]);
  await other.giveBack(conversation, 'another token');
  expect(await other.take(conversation, 60_000)).toBeUndefined();
  await one.giveBack(conversation, token!);
  expect(await other.take(conversation, 60_000)).toBeDefined();
  vi.setSystemTime(Date.now() + 61_000);
  expect(await one.take(conversation, 60_000)).toBeDefined();
  vi.useRealTimers();
});

it('keeps calls with whatever keys they have', async () => {
  const conversation = await one.create(owner, 'x');
  const tool_calls = [
    { tool_name: 'add_task', arguments: { $where: 1, 'a.b': { $set: null } }, result: { error: 'no' } },
  ];
  await one.addMessage(conversation, { role: 'assistant', content: 'No.', tool_calls });
  expect(await other.messages(conversation)).toMatchObject([{ role: 'assistant', tool_calls }]);
});
