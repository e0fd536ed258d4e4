import { maxCounted, pageQuery, skipQuery } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { pageInOrder, pageOfItems, readPage } from './page.ts';

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

it('goes on behind records without the field of the order, and behind those that are gone', async () => {
  const things = thingModel('cursor_gaps');
  await things.collection.insertMany(
    Array.from({ length: 9 }, (_, at) => ({ owner: 1, ...(at % 3 > 0 && { size: at }) })) as never[],
  );
  for (const direction of [1, -1] as const) {
    const sort = { size: direction, _id: direction };
    const expected = await things.find().sort(sort).lean();
    const found: string[] = [];
    for (let cursor: string | undefined, at = 0; at === 0 || cursor !== undefined; at += 1) {
      const { records, end } = await readPage(things, {}, { sort, skip: 0, limit: 1, cursor });
      found.push(...records.map(({ _id }) => String(_id)));
      cursor = end.next_cursor;
    }
    // No list has a descending order by a field that records can lack: it ends before them.
    expect(found).toEqual(expected.slice(0, direction === 1 ? 9 : 6).map(({ _id }) => String(_id)));
  }
  const page = { sort: { size: 1, _id: 1 }, skip: 0, limit: 5 } as const;
  const { records, end } = await readPage(things, {}, page);
  await things.deleteOne({ _id: records[4]!._id });
  const next = await readPage(things, {}, { ...page, cursor: end.next_cursor });
  expect(next.records.map(({ size }) => size)).toEqual([4, 5, 7, 8]);
});

it.each([
  { count: 2, page: { skip: 0, limit: 3 }, total: 2, counts: 0 },
  { count: 0, page: { skip: 0, limit: 3 }, total: 0, counts: 0 },
  { count: 4, page: { skip: 3, limit: 3 }, total: 4, counts: 0 },
  { count: 7, page: { skip: 0, limit: 3 }, total: 7, counts: 1 },
  { count: 7, page: { skip: 30, limit: 3 }, total: 7, counts: 1 },
])('counts only where the page does not show the number: $count, $page', async ({ count, page, total, counts }) => {
  const things = thingModel(`counted_things_${count}_${page.skip}`);
  if (count > 0) await things.collection.insertMany(Array.from({ length: count }, () => ({ owner: 1 })) as never[]);
  const counted = vi.spyOn(things, 'countDocuments');
  const { end } = await readPage(things, {}, { ...page, sort: { _id: 1 } });
  expect([end.total_count, counted.mock.calls.length]).toEqual([total, counts]);
});

it('pages a list in memory by cursor, also behind an item that is gone', () => {
  const page = { skip: 0, limit: 2 };
  const first = pageOfItems(['a', 'b', 'c', 'd'], page, String);
  const cursor = first.end.next_cursor;
  expect(first).toMatchObject({ items: ['a', 'b'], end: { total_count: 4 } });
  expect(pageOfItems(['new', 'a', 'b', 'c', 'd'], { ...page, cursor }, String).items).toEqual(['c', 'd']);
  const last = pageOfItems(['a', 'c', 'd'], { ...page, cursor }, String);
  expect([last.items, last.end.next_cursor]).toEqual([['c', 'd'], undefined]);
});

it('goes on in an order behind all items of the page that are gone, moved or new', () => {
  const thing = (size: number, name: string) => ({ size, name, at: new Date(size) });
  const all = [thing(7, 'c'), thing(9, 'b'), thing(1, 'e'), thing(7, 'a'), thing(7, 'd')];
  for (const field of ['size', 'at'] as const) {
    const pageOf = (things: typeof all, cursor?: string) =>
      pageInOrder(things, { skip: 0, limit: 2, cursor }, { [field]: -1, name: 1 });
    const names = (things: typeof all, cursor?: string) => pageOf(things, cursor).items.map(({ name }) => name);
    const { next_cursor } = pageOf(all).end;
    expect(names(all)).toEqual(['b', 'a']);
    expect(names(all, next_cursor)).toEqual(['c', 'd']);
    const left = all.filter(({ name }) => !['b', 'a'].includes(name));
    expect(names(left, next_cursor)).toEqual(['c', 'd']);
    expect(names([...all, thing(12, 'new')], next_cursor)).toEqual(['c', 'd']);
    expect(names([...left, thing(0, 'a')], next_cursor)).toEqual(['c', 'd']);
    expect(pageOf([], next_cursor)).toEqual({ items: [], end: { total_count: 0 } });
    expect(pageOf(all, pageOf(all, next_cursor).end.next_cursor)).toMatchObject({ items: [{ name: 'e' }] });
    expect(() => pageInOrder(all, { skip: 0, limit: 2, cursor: next_cursor }, { name: 1 })).toThrow('cursor');
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
  expect(pageQuery.safeParse({ skip: '10001' }).error?.issues[0]?.message).toContain('cursor');
  // A list without cursors does not advise them.
  expect(skipQuery.safeParse({ skip: '10001' }).error?.issues[0]?.message).not.toContain('cursor');
});
