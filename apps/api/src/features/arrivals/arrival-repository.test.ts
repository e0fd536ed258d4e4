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
  // A damaged one, which comes first, keeps none of its organization from starting.
  const first = { ...arrived(large), _id: new Types.ObjectId('0'.repeat(24)), tag_ids: 7 };
  await documentModel(connection).collection.insertOne(first);
  expect((await arrivals.due(String(large), 10)).map(({ id }) => id)).toEqual(ids.slice(0, 4).concat(ids.slice(5)));
  // Organizations take turns, also beside a record whose organization is damaged.
  await documentModel(connection).collection.insertOne({ ...arrived(large), organization_id: 'damaged' });
  const turns: string[] = [];
  for await (const organization of arrivals.organizations()) turns.push(String(organization));
  expect(turns).toEqual([String(large), String(one.organization_id)].toSorted());
  await connection.close();
});
