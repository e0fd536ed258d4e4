import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createWebhookQueue } from './webhook-repository.ts';

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
