import type { OperationDescription } from '@docwright/contract';
import { operations } from '@docwright/contract/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { pagesByCursor } from './page-cursors.ts';

interface Listed {
  tags: { name: string }[];
  total_count: number;
  next_cursor?: string;
}

/** Lists without cursors, and why. */
const withoutCursors: Record<string, string> = {
  'GET /v0/orgs/:org_id/review': 'a queue: what is decided leaves it, and the leases of its users order it',
  'GET /v0/orgs/:org_id/evaluations/:evaluation_id/differences': 'at most 200 documents, measured once',
};

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) {
    await harness.admin.request('POST', './tags', { payload: { name } });
  }
});
afterAll(async () => {
  await harness.stop();
});

const tags = async (query: string) => await harness.admin.get<Listed>(`./tags?limit=2&${query}`);

test('every list pages by cursor, except those that say why', () => {
  const described: [string, OperationDescription][] = Object.entries(operations);
  const lists = described.filter(
    ([, { querystring }]) => querystring instanceof z.ZodObject && querystring.shape['skip'],
  );
  const others = lists.filter(([, operation]) => !pagesByCursor(operation)).map(([name]) => name);
  expect(others.toSorted()).toEqual(Object.keys(withoutCursors).toSorted());
  expect(lists.length).toBeGreaterThan(30);
});

test('later pages hold what stood behind the page before, also if items are added or removed meanwhile', async () => {
  const first = await tags('');
  expect(first.body.tags.map(({ name }) => name)).toEqual(['a1', 'a2']);
  await harness.admin.request('POST', './tags', { payload: { name: 'a0' } });
  const second = await tags(`cursor=${first.body.next_cursor}`);
  expect(second.body.tags.map(({ name }) => name)).toEqual(['a3', 'a4']);
  const third = await tags(`cursor=${second.body.next_cursor}`);
  expect([third.body.tags.map(({ name }) => name), third.body.next_cursor, third.body.total_count]).toEqual([
    ['b1'],
    undefined,
    6,
  ]);
});

test('a cursor of another list, filter or organization is refused', async () => {
  const { next_cursor } = (await tags('')).body;
  for (const query of [`name_search=a&cursor=${next_cursor}`, 'cursor=nonsense', `cursor=${next_cursor?.slice(1)}`]) {
    expect(await tags(query)).toMatchObject({ status: 400, error: { code: 'cursor_not_valid' } });
  }
  const others = await harness.admin.get(`./schemas?limit=2&cursor=${next_cursor}`);
  expect(others).toMatchObject({ status: 400, error: { code: 'cursor_not_valid' } });
  // The size of the page may change.
  expect((await harness.admin.get<Listed>(`./tags?limit=9&exact_count=true&cursor=${next_cursor}`)).status).toBe(200);
});

test('a page whose answer is long is followed by the next one', async () => {
  const { connection, admin } = harness;
  const first = (await connection.collection('tags').findOne({ name: 'b1' }))!;
  const { _id: _, call_id: _call, ...tag } = first;
  const described = Array.from({ length: 120 }, (_value, at) => ({
    ...tag,
    name: `c${at}`,
    name_key: `c${at}`,
    description: 'x'.repeat(2_000),
  }));
  await connection.collection('tags').insertMany(described);
  const page = await admin.get<Listed>('./tags?limit=100');
  expect(page.body.tags).toHaveLength(100);
  expect((await admin.get<Listed>(`./tags?limit=100&cursor=${page.body.next_cursor}`)).status).toBe(200);
});
