import { DomainError, type Cell } from '@docwright/contract';
import { compareCells } from './column-order.ts';

/** What a cursor needs of the rows. */
interface PlacedRows {
  reader(path: string): (row: number) => Cell;
  head(row: number): { document_id: string };
  item(row: number): number | undefined;
  rowsOf(documentId: string): readonly number[];
}

interface Order {
  path: string;
  /** 1 or, if it descends, -1. */
  sign: number;
}

/** The place of a row in an order: a later page finds it again even if rows were added or removed before it. */
interface Cursor {
  /** A long text is cut. */
  value: Cell;
  id: string;
  item: number;
}

/** Of a text, so many characters are in a cursor: each can take eight, and an address has room for 4,000. */
const maxLength = 400;

const cut = (cell: Cell): Cell => (typeof cell === 'string' ? cell.slice(0, maxLength) : cell);
const orderText = ({ path, sign }: Order): string => (sign < 0 ? `-${path}` : path);

/** The cursor of a page whose last row is `row`. */
export function writeCursor(store: PlacedRows, order: Order, row: number): string {
  const value = cut(store.reader(order.path)(row));
  const place = [value, store.head(row).document_id, store.item(row) ?? 0, orderText(order)];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/**
 * The cursor of this order. Cursors of former releases name none.
 * @throws DomainError `invalid_cursor`
 */
function readCursor(text: string, order: Order): Cursor {
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const [value, id, item, named = orderText(order)] = place;
    const isCell = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (isCell && typeof id === 'string' && typeof item === 'number' && named === orderText(order)) {
      return { value: cut(value as Cell), id, item };
    }
  } catch {
    // As any other text that is no cursor.
  }
  throw new DomainError(
    'invalid',
    'invalid_cursor',
    'The cursor does not belong to this list. Start without a cursor.',
  );
}

/**
 * The position of the first row after the cursor's place. If the row of a long text is gone or has another text now, rows that begin like
 * it are answered again.
 * @throws DomainError `invalid_cursor`
 */
export function positionAfter(store: PlacedRows, rows: Uint32Array, order: Order, text: string): number {
  const { value, id, item } = readCursor(text, order);
  const read = store.reader(order.path);
  const isCut = typeof value === 'string' && value.length === maxLength;
  const own = isCut
    ? store.rowsOf(id).find((row) => (store.item(row) ?? 0) === item && cut(read(row)) === value)
    : undefined;
  const isAfter = (row: number) => {
    if (isCut && own === undefined) return compareCells(cut(read(row)), value, order.sign) >= 0;
    const difference = compareCells(read(row), own === undefined ? value : read(own), order.sign);
    if (difference !== 0) return difference > 0;
    const other = store.head(row).document_id;
    return other === id ? (store.item(row) ?? 0) > item : other > id;
  };
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(rows[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
