import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import mongoose, { type Connection } from 'mongoose';
import { eventQuery } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { newTestDatabase } from '../../testing/test-database.ts';
import { eventLogModel } from '../event-log/event-log-model.ts';
import { createEventLog } from '../event-log/event-log-repository.ts';
import { createAnnouncements } from './announcement-repository.ts';
import { createEventFeed, createEventReader } from './feed-service.ts';

/** By default a few; `EVENTS=100` is the large form. */
const eventsOfWriter = Number(process.env['EVENTS'] ?? 3);
const [processes, writersOfProcess] = [4, 5];
const script = fileURLToPath(new URL('./testing/append-events.ts', import.meta.url));

const uri = newTestDatabase();
const children: ChildProcess[] = [];
let connection: Connection;
beforeAll(async () => {
  connection = await connectDatabase(uri);
  await eventLogModel(connection).createIndexes();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await connection.close();
});

it(
  'a reader that polls gets the events of 20 writers in 4 processes densely, in order, and skips none',
  { timeout: 60_000 + eventsOfWriter * 1_000 },
  async () => {
    const organizationId = new mongoose.Types.ObjectId().toHexString();
    const log = createEventLog(connection);
    const reader = createEventReader(log, createAnnouncements(connection, log, { error: () => undefined }));
    const service = createEventFeed(log, reader)({ organizationId, userId: organizationId, role: 'admin' });

    const args = [script, uri, organizationId, String(writersOfProcess), String(eventsOfWriter)];
    const started = Array.from({ length: processes }, async () => {
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout, 'data');
      return { child, ended: once(child, 'close') };
    });
    const writers = await Promise.all(started);
    const begun = performance.now();
    for (const { child } of writers) child.stdin.end('go\n');
    let areDone = false;
    const codes = Promise.all(writers.map(async ({ ended }) => (await ended)[0] as unknown));
    void codes.then(() => (areDone = true));

    const expected = processes * writersOfProcess * eventsOfWriter;
    const ids = new Set<string>();
    const numbers: number[] = [];
    for (let after = 0; ;) {
      const wasDone = areDone;
      const query = eventQuery.parse({ after, limit: 7, wait: 0 });
      const { events, next_after } = await service.feed(query, new AbortController().signal);
      for (const { seq, id } of events) {
        numbers.push(seq);
        ids.add(id);
      }
      after = next_after;
      if (events.length === 0 && wasDone) break;
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(await codes).toEqual([0, 0, 0, 0]);
    expect(numbers).toEqual(Array.from({ length: expected }, (_, at) => at + 1));
    expect(ids.size).toBe(expected);
    if (process.env['EVENTS']) console.log(`${expected} events in ${seconds.toFixed(1)} s`);
  },
);
