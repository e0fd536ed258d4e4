import { DomainError } from '@docwright/contract';
import { compareCells, type ColumnStore } from './column-store.ts';
import type { Cell } from './where.ts';

/** The place of a row in an order: a later page finds it again even if rows were added or removed before it. */
interface Cursor {
  value: Cell;
  id: string;
  item: number;
}

/** The cursor of a page whose last row is `row`. */
export function writeCursor(store: ColumnStore, path: string, row: number): string {
  const place = [store.reader(path)(row), store.head(row).document_id, store.item(row) ?? 0];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws DomainError `invalid_cursor` */
export function readCursor(text: string): Cursor {
  try {
    const [value, id, item] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown, unknown];
    const isCell = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (isCell && typeof id === 'string' && typeof item === 'number') return { value: value as Cell, id, item };
  } catch {
    // As any other text that is no cursor.
  }
  throw new DomainError('invalid', 'invalid_cursor', 'The cursor is none of this list. Start without a cursor.');
}

/** The position of the first row after the cursor's place, whose own row might be gone. */
export function positionAfter(store: ColumnStore, rows: Uint32Array, path: string, sign: number, cursor: Cursor): number {
  const read = store.reader(path);
  const isAfter = (row: number) => {
    const difference = compareCells(read(row), cursor.value, sign);
    if (difference !== 0) return difference > 0;
    const id = store.head(row).document_id;
    return id === cursor.id ? (store.item(row) ?? 0) > cursor.item : id > cursor.id;
  };
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(rows[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
