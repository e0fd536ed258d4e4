import { Types, type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import type { StoredTurn } from './stored-turn.ts';
import { turnModel } from './turn-model.ts';
import { createTurnRepositories, firstRun } from './turn-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await turnModel(connection).createIndexes();
});
afterAll(() => connection.close());
afterEach(() => vi.useRealTimers());

const id = () => new Types.ObjectId().toHexString();
const settings = { model: 'm', mentions: [], autoApprove: false, autoApprovedTools: [] };

it('lets only one of several processes resume an orphaned turn', async () => {
  const { turnsOf } = createTurnRepositories(connection);
  const turns = turnsOf({ organizationId: id(), documentId: id(), userId: id() });
  const turnId = (await turns.start(id(), { role: 'member', beginning: { settings, isNewThread: true } })) ?? '';
  const asItIs = async (): Promise<StoredTurn> => (await turns.get(turnId))!;
  expect(await turns.resumeOrphan(await asItIs())).toBe(false);
  await turns.release(turnId, firstRun);
  const left = await asItIs();
  expect(await turns.resumeOrphan(left)).toBe(true);
  expect(await turns.resumeOrphan(left)).toBe(false);
  // A process that reads the turn now sees that it runs.
  expect(await turns.resumeOrphan(await asItIs())).toBe(false);
});

it('resumes only orphaned turns, also if the clock of a process is wrong', async () => {
  const repositories = createTurnRepositories(connection);
  const organizationId = id();
  const turns = repositories.turnsOf({ organizationId, documentId: id(), userId: id() });
  const isOrphaned = async (turnId: string) =>
    (await turns.get(turnId))?.isOrphaned === true &&
    (await repositories.orphanedTurns()).some(({ id: found }) => found === turnId);
  for (const hoursAhead of [1, -1]) {
    const threadId = id();
    atAnotherTime(hoursAhead);
    const turnId = (await turns.start(threadId, { role: 'member', beginning: { settings, isNewThread: true } })) ?? '';
    await repositories.renewLeases([{ organizationId, turnId, token: firstRun }]);
    atAnotherTime(-hoursAhead);
    expect(await turns.start(threadId), `written ${hoursAhead} hours ahead`).toBeUndefined();
    expect(await isOrphaned(turnId)).toBe(false);
    await turns.release(turnId, firstRun);
    expect(await isOrphaned(turnId)).toBe(true);
    expect(await turns.resumeOrphan((await turns.get(turnId))!)).toBe(true);
    expect(await isOrphaned(turnId)).toBe(false);
  }
});

function atAnotherTime(hoursAhead: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
}
