import { Types, type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../testing/test-database.ts';
import { createTaskConversationRepository } from './task-conversation-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());
afterEach(() => vi.useRealTimers());

const owner = () => ({
  organizationId: new Types.ObjectId().toHexString(),
  userId: new Types.ObjectId().toHexString(),
});

it.each([1, -1])('holds a conversation whatever clock a process has, %i hours ahead', async (hoursAhead) => {
  const conversations = createTaskConversationRepository(connection);
  const conversation = await conversations.create(owner(), 'Bills');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
  expect(await conversations.take(conversation, 60_000)).toBeDefined();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hoursAhead * 3_600_000 });
  expect(await conversations.take(conversation, 60_000)).toBeUndefined();
});

it('is free again when its time is over, and who held it writes nothing more', async () => {
  const conversations = createTaskConversationRepository(connection);
  const conversation = await conversations.create(owner(), 'Bills');
  const message = { role: 'assistant' as const, content: 'Done.', tool_calls: [] };
  const frozen = (await conversations.take(conversation, 20))!;
  await vi.waitFor(async () => expect(await conversations.take(conversation, 60_000)).toBeDefined());
  await expect(conversations.addMessage(conversation, frozen, message)).rejects.toMatchObject({
    code: 'answer_interrupted',
  });
  expect(await conversations.messages(conversation)).toEqual([]);
});
