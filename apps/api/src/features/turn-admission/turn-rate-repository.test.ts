import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { createTurnCounter } from './turn-rate-repository.ts';

let connections: Connection[];
beforeAll(async () => {
  const uri = newTestDatabase();
  connections = [await connectDatabase(uri), await connectDatabase(uri)];
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
});

it('counts each turn once over all processes, by user, organization and minute', async () => {
  let time = 10 * 60_000 + 45_000;
  const processes = connections.map((connection) => createTurnCounter(connection, () => time));
  const [one, other] = ['a'.repeat(24), 'b'.repeat(24)];
  const party = (userId: string) => ({ organizationId: 'c'.repeat(24), userId });
  const counted = await Promise.all(
    Array.from({ length: 20 }, (_, at) => processes[at % 2]!(party(at % 4 < 2 ? one : other))),
  );
  expect(Math.max(...counted.map(({ organization }) => organization))).toBe(20);
  expect(Math.max(...counted.map(({ user }) => user))).toBe(10);
  expect(new Set(counted.map(({ organization }) => organization)).size).toBe(20);
  expect(counted[0]!.endsInSeconds).toBe(15);
  expect(await processes[0]!({ ...party(one), organizationId: 'd'.repeat(24) })).toMatchObject({ organization: 1 });
  time += 15_000;
  expect(await processes[1]!(party(one))).toEqual({ user: 1, organization: 1, endsInSeconds: 60 });
});
