import { cursorQuery, maxCounted, pageQuery } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { readPage } from './page.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

function thingModel(name: string) {
  const schema = new mongoose.Schema(
    { owner: Number, size: Number, at: Date },
    { collection: name, versionKey: false, autoIndex: false },
  );
  return connection.model<{ _id: mongoose.Types.ObjectId; owner: number; size: number; at: Date }>(name, schema);
}

it('pages by cursor through every record once, in both directions, with equal values and new records', async () => {
  const things = thingModel('cursor_things');
  await things.insertMany(
    Array.from({ length: 23 }, (_, at) => ({ owner: at % 20 === 7 ? 2 : 1, size: at % 4, at: new Date(at % 3) })),
  );
  const all = await things.find({ owner: 1 }).lean();
  for (const field of ['size', 'at'] as const) {
    for (const direction of [1, -1] as const) {
      const sort = { [field]: direction, _id: direction };
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { records, end } = await readPage(things, { owner: 1 }, { sort, skip: 0, limit: 4, cursor });
        expect(end.total_count).toBe(all.length);
        found.push(...records.map(({ _id }) => String(_id)));
        cursor = end.next_cursor;
      } while (cursor !== undefined);
      const expected = await things.find({ owner: 1 }).sort(sort).lean();
      expect(found).toEqual(expected.map(({ _id }) => String(_id)));
    }
  }
});

it('refuses a cursor of another order, and anything else', async () => {
  const things = thingModel('cursor_refusals');
  await things.insertMany(Array.from({ length: 3 }, (_, at) => ({ owner: 1, size: at, at: new Date() })));
  const { end } = await readPage(things, {}, { sort: { size: 1, _id: 1 }, skip: 0, limit: 1 });
  const forged = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors = [
    'nonsense',
    forged({ order: '{"size":-1,"_id":-1}', values: [{ $gt: 0 }, { $gt: '' }] }),
    forged({ order: '{"size":-1,"_id":-1}', values: [1] }),
    end.next_cursor,
  ];
  for (const cursor of cursors) {
    const page = readPage(things, {}, { sort: { size: -1, _id: -1 }, skip: 0, limit: 1, cursor });
    await expect(page).rejects.toMatchObject({ code: 'cursor_not_valid' });
  }
});

it('counts up to 10,000 and says that there are more; an exact count is asked for', async () => {
  const things = thingModel('many_things');
  await things.collection.insertMany(Array.from({ length: maxCounted + 1 }, () => ({ owner: 1 })) as never[]);
  const page = { sort: { _id: 1 }, skip: 0, limit: 1 } as const;
  const { end } = await readPage(things, {}, page);
  expect(end).toMatchObject({ total_count: maxCounted, total_is_minimum: true });
  const exact = await readPage(things, {}, { ...page, exact_count: true });
  expect(exact.end).toMatchObject({ total_count: maxCounted + 1 });
  expect(exact.end.total_is_minimum).toBeUndefined();
  expect(cursorQuery.safeParse({ skip: '10001' }).error?.issues[0]?.message).toContain('cursor');
  // A list without cursors does not advise them.
  expect(pageQuery.safeParse({ skip: '10001' }).error?.issues[0]?.message).not.toContain('cursor');
});
