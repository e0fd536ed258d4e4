import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../testing/test-database.ts';
import { turnWriteModel, undoOfferedMs } from './turn-write-model.ts';
import { createUnrecordedWrites } from './unrecorded-write-repository.ts';
import { createTurnWriteRepositories } from './turn-write-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await turnWriteModel(connection).createIndexes();
});
afterAll(async () => connection.close());
afterEach(() => void vi.useRealTimers());

const [organization, other, documentId] = ['a'.repeat(24), 'b'.repeat(24), 'c'.repeat(24)];
const repositoryOf = (organizationId = organization) => createTurnWriteRepositories(connection)(organizationId);
const write = { tool: 'update_tag', kind: 'tag', recordId: 'tag', before: { name: 'a' }, base: 3 } as const;
const stored = (call_id: string) => turnWriteModel(connection).findOne({ call_id }).lean();

it('notes the previous state under the call, until the undo expires', async () => {
  vi.setSystemTime(1_000);
  await repositoryOf().note({ call_id: 'one', turn_id: 'turn', user_id: 'user' }, { ...write, documentId });
  expect(await repositoryOf().ofCall('one')).toEqual({ ...write, callId: 'one' });
  expect(await repositoryOf(other).ofCall('one')).toBeUndefined();
  expect(await stored('one')).toMatchObject({
    turn_id: 'turn',
    document_id: documentId,
    user_id: 'user',
    at: new Date(1_000),
    expires_at: new Date(1_000 + undoOfferedMs),
  });
});

it('notes the entry that the audit log is to get, until the log has it', async () => {
  vi.setSystemTime(5_000);
  await repositoryOf().note({ call_id: 'due', turn_id: 'due', audit_entry: '{}' }, write);
  const unrecorded = createUnrecordedWrites(connection);
  const notedBefore = async (time: number) => {
    const notes = [];
    for await (const batch of unrecorded.notedBefore(new Date(time))) notes.push(...batch);
    return notes;
  };
  expect(await notedBefore(4_999)).toEqual([]);
  const notes = await notedBefore(5_000);
  expect(notes).toMatchObject([{ call_id: 'due', kind: 'tag', audit_entry: '{}', unrecorded_since: new Date(5_000) }]);
  await unrecorded.settle(notes);
  expect(await notedBefore(5_000)).toEqual([]);
  expect(await repositoryOf().ofCall('due')).toEqual({ ...write, callId: 'due' });
});

it('notes a write for review without expiry, and nothing outside of a turn', async () => {
  await repositoryOf().note({ call_id: 'reviewed', turn_id: 'turn', for_review: true }, { ...write, before: null });
  const fields = Object.keys((await stored('reviewed'))!);
  for (const field of ['expires_at', 'document_id', 'user_id']) expect(fields).not.toContain(field);
  await repositoryOf().note({ call_id: 'created', turn_id: 'turn' }, { tool: 't', kind: 'tag', before: null, base: 0 });
  expect(Object.keys((await stored('created'))!)).not.toContain('thing_id');
  await repositoryOf().note({ call_id: 'outside' }, write);
  await repositoryOf().note(undefined, write);
  expect(await stored('outside')).toBeNull();
});

it('replaces the note of a repeated call', async () => {
  const origin = { call_id: 'again', turn_id: 'repeated' };
  await repositoryOf().note(origin, write);
  await repositoryOf().note(origin, { ...write, base: 4 });
  expect((await repositoryOf().ofTurns(['repeated'])).map(({ base }) => base)).toEqual([4]);
});

it('lists the writes of turns newest first, and finds the last author of a record', async () => {
  const writes = repositoryOf();
  for (const [call_id, at] of [
    ['second', 20],
    ['first', 10],
    ['third', 30],
  ] as const) {
    vi.setSystemTime(at);
    await writes.note({ call_id, turn_id: `turn of ${call_id}`, user_id: call_id }, { ...write, recordId: 'listed' });
  }
  const turns = ['turn of first', 'turn of second', 'turn of third'];
  expect((await writes.ofTurns(turns)).map(({ callId }) => callId)).toEqual(['third', 'second', 'first']);
  expect(await repositoryOf(other).ofTurns(turns)).toEqual([]);
  expect(await writes.lastChangeOf('tag', 'listed')).toEqual({ userId: 'third', at: new Date(30) });
  expect(await writes.lastChangeOf('schema', 'listed')).toBeUndefined();
  expect(await repositoryOf(other).lastChangeOf('tag', 'listed')).toBeUndefined();
  await writes.note({ call_id: 'unnamed', turn_id: 't' }, { ...write, recordId: 'without author' });
  expect(await writes.lastChangeOf('tag', 'without author')).toBeUndefined();
});

it('removes the content of one document of the organization', async () => {
  const note = (organizationId: string, call_id: string, id: string) =>
    repositoryOf(organizationId).note({ call_id, turn_id: 't' }, { ...write, documentId: id });
  await note(organization, 'removed', documentId);
  await note(organization, 'of another document', 'd'.repeat(24));
  await note(other, 'of another organization', documentId);
  await repositoryOf().forgetDocument(documentId.toUpperCase());
  expect(await repositoryOf().ofCall('removed')).toEqual({ ...write, callId: 'removed', before: null });
  expect((await repositoryOf().ofCall('of another document'))?.before).toEqual(write.before);
  expect((await repositoryOf(other).ofCall('of another organization'))?.before).toEqual(write.before);
});
