import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createWebhookQueue, createWebhookRepositories } from './webhook-repository.ts';

it('finds the webhooks with a due delivery, also beside a damaged one, and no others', async () => {
  const connection = await connectTestDatabase();
  const newId = () => new mongoose.Types.ObjectId();
  const [beside, due, later] = [newId(), newId(), newId()];
  const at = Date.now();
  await connection
    .collection('webhooks')
    .insertMany([beside, due, later].map((_id) => ({ _id, organization_id: newId(), enabled: true })));
  await connection
    .collection('webhook_deliveries')
    .insertMany(
      [
        { webhook_id: beside },
        { webhook_id: beside, next_try_at: 'damaged' },
        { webhook_id: beside, next_try_at: new Date(at - 1_000) },
        { webhook_id: due, next_try_at: new Date(at - 1_000) },
        { webhook_id: due, next_try_at: new Date(at + 60_000) },
        { webhook_id: later, next_try_at: new Date(at + 60_000) },
      ].map((delivery, seq) => ({ ...delivery, event_id: `evt_${seq}`, state: 'pending', seq })),
    );
  const found = await createWebhookQueue(connection).due(new Date(at));
  expect(found.map(({ _id }) => String(_id))).toEqual([beside, due].map(String));
  await connection.close();
});

it.each([
  ['damaged', 'damaged'],
  ['missing', null],
  ['years ahead', new Date('2099-01-01')],
])('sends a delivery whose time is %s, in order or not', async (_what, next_try_at) => {
  const connection = await connectTestDatabase();
  const [ordered, free] = [true, false].map((each) => ({
    _id: new mongoose.Types.ObjectId(),
    organization_id: new mongoose.Types.ObjectId(),
    enabled: true,
    ordered: each,
  }));
  await connection.collection('webhooks').insertMany([ordered!, free!]);
  const deliveries = [ordered!, free!].map(({ _id }, seq) => ({
    webhook_id: _id,
    next_try_at,
    event_id: `evt_${seq}`,
    state: 'pending',
    seq,
  }));
  await connection.collection('webhook_deliveries').insertMany(deliveries);
  const queue = createWebhookQueue(connection);
  const now = new Date();
  const due = await queue.due(now);
  expect(due).toHaveLength(2);
  for (const webhook of due) expect(await queue.next(webhook, now, 10)).toHaveLength(1);
  await connection.close();
});

it('leaves no delivery of a webhook that is removed while its deliveries are planned', async () => {
  const connection = await connectTestDatabase();
  const organization_id = new mongoose.Types.ObjectId();
  const webhooks = createWebhookRepositories(connection)(String(organization_id));
  const webhook = { _id: new mongoose.Types.ObjectId(), organization_id, enabled: true };
  await connection.collection('webhooks').insertOne({ ...webhook });
  await webhooks.remove(String(webhook._id));
  await webhooks.plan(webhook as never, [{ id: 'evt_1', seq: 1, type: 'document.ready' }] as never);
  expect(await connection.collection('webhook_deliveries').countDocuments({ webhook_id: webhook._id })).toBe(0);
  await connection.close();
});
