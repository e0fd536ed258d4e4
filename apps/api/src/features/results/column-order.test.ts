import type { Cell } from '@docwright/contract';
import { expect, it } from 'vitest';
import { orderedBy, reversedOrder } from './column-order.ts';
import { ColumnStore, compareCells } from './column-store.ts';

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
const rows = Uint32Array.from(cells, (_, at) => at);
const compared = (sign: number) =>
  Uint32Array.from([...rows].toSorted((one, other) => compareCells(read(one), read(other), sign) || one - other));

it('orders rows as comparing each with each does, in both directions, ties as they were', () => {
  const [up, down] = [compared(1), compared(-1)];
  expect(orderedBy(rows, read)).toEqual(up);
  expect(reversedOrder(up, read)).toEqual(down);
  expect(reversedOrder(down, read)).toEqual(up);
  const nothing = new Uint32Array(0);
  expect([orderedBy(nothing, read), reversedOrder(nothing, read)]).toEqual([nothing, nothing]);
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
])('orders texts %s as comparing does', (_name, textOf) => {
  const texts = Array.from({ length: 2_000 }, (_, at) => textOf((at * 7_919) % 2_003));
  const places = Uint32Array.from(texts.keys());
  const compare = (a: number, b: number) => compareCells(texts[a]!, texts[b]!, 1) || a - b;
  expect(orderedBy(places, (at) => texts[at]!)).toEqual(Uint32Array.from([...places].toSorted(compare)));
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
