import { Types } from 'mongoose';
import { expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { documentModel } from '../documents/index.ts';
import { createArrivalRepository } from './arrival-repository.ts';

it('starts the newest documents with the oldest, so that one waits for no long queue, and each once', async () => {
  const connection = await connectTestDatabase();
  const arrived = (organization_id: Types.ObjectId) => ({
    _id: new Types.ObjectId(),
    organization_id,
    tag_ids: [],
    state: 'ocr_completed',
    arrival_due: true,
    deleted_at: null,
  });
  const large = new Types.ObjectId();
  const many = Array.from({ length: 300 }, () => arrived(large));
  const one = arrived(new Types.ObjectId());
  await documentModel(connection).collection.insertMany([...many, one] as never[]);
  const arrivals = createArrivalRepository(connection);
  const ids = (await arrivals.due(10)).map(({ id }) => id);
  expect(ids).toHaveLength(10);
  expect(ids[0]).toBe(many[0]!._id.toHexString());
  expect(ids).toContain(one._id.toHexString());
  const all = (await arrivals.due(1_000)).map(({ id }) => id);
  expect([all.length, new Set(all).size]).toEqual([301, 301]);
  await connection.close();
});
