import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordIds } from '../../platform/leases/testing/lease-on-record.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createEventLog, createOutboxRelay, outboxEvent } from './event-log-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

it('a record with damaged events holds up those of no other', async () => {
  const records = connection.collection('with_outbox');
  const { organization_id } = recordIds();
  const sound = { organization_id, event_outbox: [outboxEvent('run.completed')] };
  await records.insertMany([
    { ...sound, event_outbox: [null, ...sound.event_outbox] },
    { ...sound, event_outbox: [{ id: 'e', type: 'run.completed' }] },
    { event_outbox: sound.event_outbox },
    sound,
  ] as never[]);
  const source = { collection: 'with_outbox', describe: () => ({ run_id: 'r' }) };
  const failures: string[] = [];
  const log = { error: (_fields: object, message: string) => void failures.push(message) };
  await createOutboxRelay(connection, createEventLog(connection), [source], log)(new AbortController().signal);
  expect(await connection.collection('event_log').find({}).toArray()).toMatchObject([
    { organization_id, type: 'run.completed', data: { run_id: 'r' } },
  ]);
  expect(failures).toHaveLength(3);
});
