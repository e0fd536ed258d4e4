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
  const ids = (await arrivals.due(String(large), 10)).map(({ id }) => id);
  expect(ids).toHaveLength(10);
  expect([ids[0], ids[5]]).toEqual([many[0], many[299]].map((each) => String(each!._id)));
  const all = (await arrivals.due(String(large), 1_000)).map(({ id }) => id);
  expect([all.length, new Set(all).size]).toEqual([300, 300]);
  // Organizations take turns.
  const [first, second] = [String(large), String(one.organization_id)].toSorted();
  expect(await arrivals.nextOrganization(undefined)).toBe(first);
  expect(await arrivals.nextOrganization(first)).toBe(second);
  expect(await arrivals.nextOrganization(second)).toBeUndefined();
  await connection.close();
});
