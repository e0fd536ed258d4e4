import { Types, type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import type { StoredTurn } from './stored-turn.ts';
import { createTurnRepositories } from './turn-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const id = () => new Types.ObjectId().toHexString();
const settings = { model: 'm', mentions: [], autoApprove: false, autoApprovedTools: [] };

it('gives a turn that was left to one process, and not to another that looks at it afterwards', async () => {
  const { turnsOf } = createTurnRepositories(connection);
  const turns = turnsOf({ organizationId: id(), documentId: id(), userId: id() });
  const turnId = (await turns.begin(id(), { role: 'member', beginning: { settings, isNewThread: true } })) ?? '';
  const asItIs = async (): Promise<StoredTurn> => (await turns.get(turnId))!;
  expect(await turns.takeUp(await asItIs())).toBe(false);
  await turns.release(turnId);
  const left = await asItIs();
  expect(await turns.takeUp(left)).toBe(true);
  expect(await turns.takeUp(left)).toBe(false);
  // Whoever read it only now sees a turn that runs.
  expect(await turns.takeUp(await asItIs())).toBe(false);
});
