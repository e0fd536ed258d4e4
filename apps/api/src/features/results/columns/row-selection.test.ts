import { expect, it } from 'vitest';
import { ColumnStore } from './column-store.ts';
import { selectedRows } from './row-selection.ts';
import { totalsOf } from './result-totals.ts';

const count = 30_000;
const random = (at: number) => Math.imul(at + 1, 2_654_435_761) >>> 0;

function put(store: ColumnStore, at: number, value = random(at) % 900, items = 1 + (at % 2)) {
  const head = {
    document_id: `d${at}`,
    document_name: `document ${at}`,
    prompt_revid: 'p',
    version: 1,
    release: at % 8 === 0 ? ('released' as const) : ('open' as const),
    is_verified: at % 4 === 0,
    is_complete: true,
    changed_at: at,
  };
  const rows = Array.from({ length: items }, (_, item) => ({ item, cells: new Map([['value', value + item]]) }));
  store.replace(head.document_id, head, rows);
}

const idsOf = (store: ColumnStore, rows: Uint32Array) =>
  Array.from(rows, (row) => `${store.head(row).document_id} ${store.item(row)}`);

it('selects the rows that tests and sets say, also while rows are added and removed', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < count; at += 1) put(store, at);
  const every = (share: number) =>
    new Set(Array.from({ length: count + 300 }, (_, at) => `d${at}`).filter((_, at) => at % share === 0));
  const value = store.reader('value');
  const tests = [(row: number) => store.head(row).is_verified, (row: number) => Number(value(row)) >= 200];
  const filters = [
    { key: 'a', tests, within: [every(3)], without: [every(7)] },
    { key: 'b', tests: [], within: [every(2), every(5)], without: [] },
    { key: 'c', tests, within: [], without: [] },
    { key: 'd', tests: [], within: [], without: [every(50), every(3)] },
  ];
  for (const filter of filters) {
    let isDone = false;
    let turns = 0;
    const change = () => {
      if (isDone) return;
      turns += 1;
      for (let at = 0; at < 3; at += 1) put(store, random(turns * 3 + at) % (count + 300));
      store.replace(`d${random(turns) % count}`, undefined, []);
      setImmediate(change);
    };
    setImmediate(change);
    for (const order of [
      { path: 'value', descending: true },
      { path: 'document_id', descending: false },
    ]) {
      const rows = await selectedRows(store, order, filter);
      const expected = store.sorted(order.path, order.descending).filter((row) => {
        const { document_id } = store.head(row);
        const { within, without } = filter;
        return (
          within.every((ids) => ids.has(document_id)) &&
          !without.some((ids) => ids.has(document_id)) &&
          filter.tests.every((test) => test(row))
        );
      });
      expect(idsOf(store, rows)).toEqual(idsOf(store, expected));
      expect(rows.length).toBeGreaterThan(100);
    }
    isDone = true;
    const again = () => selectedRows(store, { path: 'value', descending: false }, filter);
    expect(await again()).toBe(await again());
    put(store, 1, 450);
    expect(idsOf(store, await again())).toEqual(
      idsOf(store, await selectedRows(store, { path: 'value', descending: false }, { ...filter, key: 'other' })),
    );
  }
});

it('of very many groups, the totals are those with the most rows, in order', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < 5_000; at += 1) put(store, at, at % 2_000, 1);
  store.replace('d1', undefined, []);
  const of = { group_by: ['value'], sum: 'value', count: undefined };
  const { totals, total_count } = await totalsOf(store, store.sorted('value', true), of);
  expect(total_count).toBe(2_000);
  const keys = totals.map(({ key }) => key[0]);
  expect(keys).toEqual([0, ...Array.from({ length: 998 }, (_, at) => at + 2), 1]);
  expect(totals[1]).toEqual({ key: [2], count: 3, sum: 6, without_value: 0 });
});

it('totals are added up once, and after a change only what it concerns', async () => {
  const store = new ColumnStore();
  for (let at = 0; at < count; at += 1) put(store, at);
  const value = store.reader('value');
  const order = { path: 'value', descending: true };
  const everyThird = new Set(Array.from({ length: count }, (_, at) => `d${at * 3}`));
  const filters = [
    { key: 'all', tests: [], within: [], without: [] },
    { key: 'some', tests: [(row: number) => Number(value(row)) >= 200], within: [everyThird], without: [] },
  ];
  let reads = 0;
  const reader = store.reader.bind(store);
  store.reader = (path, heads) => {
    const read = reader(path, heads);
    return (row) => {
      reads += 1;
      return read(row);
    };
  };
  const columns = [
    { group_by: [], sum: 'value', count: undefined },
    { group_by: ['release', 'value'], sum: 'value', count: 'document_name' },
  ];
  for (const filter of filters) {
    for (let round = 0; round < 12; round += 1) {
      const rows = await selectedRows(store, order, filter);
      for (const own of columns) {
        reads = 0;
        const totals = await totalsOf(store, rows, own);
        if (round > 0) expect(reads).toBeLessThan(100);
        expect(await totalsOf(store, rows, own)).toBe(totals);
        // A copy of the rows is added up anew.
        expect(totals).toEqual(await totalsOf(store, rows.slice(), own));
      }
      for (let at = 0; at < round % 4; at += 1) put(store, random(round * 4 + at) % (count + 300), 1_000 + round / 10);
      store.replace(`d${random(round) % count}`, undefined, []);
    }
  }
});
