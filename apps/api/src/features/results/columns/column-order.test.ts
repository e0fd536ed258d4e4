import type { Cell } from '@docwright/contract';
import { expect, it } from 'vitest';
import { inTurns } from '../../../platform/long-values/in-turns.ts';
import { compareCells, orderSteps, reversedSteps } from './column-order.ts';
import { ColumnStore } from './column-store.ts';

const words = ['', 'a', 'A', 'ä', 'Z', '10', '9', '\u{1F600}', '\uFFFF', 'aa', 'null'];
/** Values of all kinds with ties and gaps, the same in each run. */
const cells = Array.from({ length: 3_000 }, (_, at): Cell => {
  const random = Math.imul(at + 1, 2_654_435_761) >>> 0;
  switch (random % 7) {
    case 0:
      return null;
    case 1:
      return random % 2 === 0;
    case 2:
    case 3:
      return words[random % words.length]!;
    case 4:
      return `text ${random % 400}`;
    case 5:
      return (random % 200) - 100;
    default:
      return random / 1_000;
  }
});
const read = (row: number) => cells[row]!;
const orderedBy = (of: Uint32Array, by: typeof read) => inTurns(orderSteps(of, by));
const reversedOrder = (of: Uint32Array, by: typeof read) => inTurns(reversedSteps(of, by));
const rows = Uint32Array.from(cells, (_, at) => at);
const compared = (sign: number) =>
  Uint32Array.from([...rows].toSorted((one, other) => compareCells(read(one), read(other), sign) || one - other));

it('orders rows as comparing each with each does, in both directions, ties as they were', async () => {
  const [up, down] = [compared(1), compared(-1)];
  expect(await orderedBy(rows, read)).toEqual(up);
  expect(await reversedOrder(up, read)).toEqual(down);
  expect(await reversedOrder(down, read)).toEqual(up);
  const nothing = new Uint32Array(0);
  expect([await orderedBy(nothing, read), await reversedOrder(nothing, read)]).toEqual([nothing, nothing]);
  const many = (row: number) => read(row % cells.length);
  const long = Uint32Array.from({ length: 17_000 }, (_, at) => at);
  const compare = (one: number, other: number) => compareCells(many(one), many(other), 1) || one - other;
  expect(await orderedBy(long, many)).toEqual(Uint32Array.from([...long].toSorted(compare)));
});

it.each([
  ['with a common start', (at: number) => `invoice ${at % 700}.pdf`],
  ['that are equal or start like others', (at: number) => 'ab'.repeat(at % 40)],
  [
    'of any code units',
    (at: number) => String.fromCharCode(...[1, 7, 13].map((by) => 0xffff - ((at * by) % 5)), at % 3),
  ],
  ['with letters beyond ASCII', (at: number) => ['Müller', 'Muller', 'Mülle', 'Ångström', ''][at % 5]! + (at % 90)],
  ['with null characters', (at: number) => 'x\0'.repeat(at % 7) + (at % 2 === 0 ? '\0' : '')],
])('orders texts %s as comparing does', async (_name, textOf) => {
  const texts = Array.from({ length: 2_000 }, (_, at) => textOf((at * 7_919) % 2_003));
  const places = Uint32Array.from(texts.keys());
  const compare = (a: number, b: number) => compareCells(texts[a]!, texts[b]!, 1) || a - b;
  expect(await orderedBy(places, (at) => texts[at]!)).toEqual(Uint32Array.from([...places].toSorted(compare)));
});

it('keeps the orders of a table right while rows are added, changed and removed', () => {
  const store = new ColumnStore();
  const put = (document: number, value: Cell) => {
    const document_id = String(document).padStart(24, '0');
    const head = { document_id, document_name: '', prompt_revid: '', version: 1, release: 'open' as const };
    const facts = { is_verified: false, is_complete: true, changed_at: document };
    store.replace(document_id, { ...head, ...facts }, [{ cells: new Map([['value', value]]) }]);
  };
  const shown = (descending: boolean) =>
    [...store.sorted('value', descending)].map((row) => [store.head(row).document_id, store.reader('value')(row)]);
  const expected = new Map<number, Cell>();
  const sign = (descending: boolean) => (descending ? -1 : 1);
  const check = () => {
    for (const descending of [true, false]) {
      const sorted = [...expected].toSorted(
        ([one, a], [other, b]) => compareCells(a, b, sign(descending)) || one - other,
      );
      expect(shown(descending)).toEqual(sorted.map(([id, value]) => [String(id).padStart(24, '0'), value]));
    }
  };
  // Not in the order of their ids.
  for (let at = 0; at < 500; at += 1) {
    const document = (at * 7) % 500;
    expected.set(document, cells[document]!);
    put(document, cells[document]!);
  }
  check();
  for (const document of [3, 499, 7, 600]) {
    expected.set(document, cells[document + 900]!);
    put(document, cells[document + 900]!);
  }
  store.replace('8'.padStart(24, '0'), undefined, []);
  expected.delete(8);
  check();
});

it('orders a long table while other work goes on, also while rows are added, changed and removed', async () => {
  const store = new ColumnStore();
  const idOf = (document: number) => String(document).padStart(24, '0');
  const put = (document: number, value: Cell) => {
    const head = { document_id: idOf(document), document_name: `${document % 90}`, prompt_revid: '', version: 1 };
    const facts = { release: 'open' as const, is_verified: false, is_complete: true, changed_at: document };
    store.replace(head.document_id, { ...head, ...facts }, [{ cells: new Map([['value', value]]) }]);
  };
  const values = new Map<number, Cell>();
  for (let at = 0; at < 30_000; at += 1) values.set((at * 7) % 30_000, cells[at % cells.length]!);
  for (const [document, value] of values) put(document, value);
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
    for (const document of [turns, 20_000 + turns]) {
      values.set(document, turns);
      put(document, turns);
    }
    values.delete(10_000 + turns);
    store.replace(idOf(10_000 + turns), undefined, []);
  }, 1);
  await Promise.all([store.order('value', true), store.order('value', true), store.order('document_name', false)]);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
  const shown = (path: string, descending: boolean) =>
    [...store.sorted(path, descending)].map((row) => Number(store.head(row).document_id));
  const byValue = [...values].toSorted(([one, a], [other, b]) => compareCells(a, b, -1) || one - other);
  expect(shown('value', true)).toEqual(byValue.map(([document]) => document));
  const nameOf = (document: number) => `${document % 90}`;
  const byName = [...values.keys()].toSorted((a, b) => compareCells(nameOf(a), nameOf(b), 1) || a - b);
  expect(shown('document_name', false)).toEqual(byName);
});
