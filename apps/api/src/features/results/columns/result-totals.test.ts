import v8 from 'node:v8';
import vm from 'node:vm';
import type { Cell } from '@docwright/contract';
import { expect, it } from 'vitest';
import { ColumnStore } from './column-store.ts';
import { totalsOf } from './result-totals.ts';
import { selectedRows } from './row-selection.ts';

const all = { key: 'all', tests: [], within: [], without: [] };
const ofAll = (store: ColumnStore) => selectedRows(store, { path: 'document_id', descending: false }, all);

function put(store: ColumnStore, at: number, cells: Record<string, Cell>) {
  const head = {
    document_id: `d${at}`,
    document_name: `document ${at}`,
    prompt_revid: 'p',
    version: 1,
    release: 'open' as const,
    is_verified: false,
    is_complete: true,
    changed_at: at,
  };
  store.replace(head.document_id, head, [{ cells: new Map(Object.entries(cells)) }]);
}

it('keeps no sums of very many groups, which no later look can use', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const usedBytes = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const store = new ColumnStore();
  for (let at = 0; at < 20_000; at += 1) put(store, at, { number: at });
  const rows = await ofAll(store);
  const before = usedBytes();
  for (const count of ['number', 'version', 'release', 'document_name', 'is_verified']) {
    expect(await totalsOf(store, rows, { group_by: ['number'], sum: 'number', count })).toMatchObject({
      total_count: 20_000,
    });
  }
  const bytesOfGroup = (usedBytes() - before) / 5 / 20_000;
  expect(bytesOfGroup).toBeLessThan(50);
});

it('a look that failed leaves no sums without the rows that it had subtracted', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < 4; at += 1) put(store, at, { number: at });
  const look = async () => await totalsOf(store, await ofAll(store), { group_by: [], sum: 'number', count: undefined });
  expect(await look()).toMatchObject({ totals: [{ sum: 6, count: 4 }] });
  put(store, 3, { number: 30 });
  const reader = store.reader.bind(store);
  store.reader = (path, heads) => {
    const read = reader(path, heads);
    return (row) => {
      if (path === 'number' && row === 4) throw new Error('The value cannot be read.');
      return read(row);
    };
  };
  await expect(look()).rejects.toThrow('cannot be read');
  store.reader = reader;
  expect(await look()).toMatchObject({ totals: [{ sum: 33, count: 4 }] });
});

it('adds up anew where a sum was beyond the largest number', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < 4; at += 1) put(store, at, { number: at < 2 ? 1e308 : at });
  const look = async () => await totalsOf(store, await ofAll(store), { group_by: [], sum: 'number', count: undefined });
  await look();
  put(store, 1, { number: 1 });
  put(store, 0, { number: 0 });
  expect(await look()).toMatchObject({ totals: [{ sum: 6, count: 4 }] });
});

it('reads all rows anew once a field of a result has the name of a column of heads', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < 4; at += 1) put(store, at, { number: at });
  const filter = () => {
    const read = store.reader('release');
    return {
      key: `open ${store.hiddenHeads}`,
      tests: [(row: number) => read(row) === 'open'],
      within: [],
      without: [],
    };
  };
  const order = { path: 'release', descending: false };
  const group = { group_by: ['release'], sum: undefined, count: undefined };
  const look = async () => ({
    totals: (await totalsOf(store, await ofAll(store), group)).totals.map(({ key, count }) => [...key, count]),
    selected: (await selectedRows(store, order, filter())).length,
    ordered: Array.from(store.sorted('release', false), (row) => store.head(row).document_id),
  });
  expect(await look()).toMatchObject({ totals: [['open', 4]], selected: 4 });
  put(store, 3, { number: 3, release: 'v2' });
  expect(await look()).toEqual({
    totals: [
      [null, 3],
      ['v2', 1],
    ],
    selected: 0,
    ordered: ['d3', 'd0', 'd1', 'd2'],
  });
});
