import { deserialize, serialize } from 'node:v8';
import type { Cell } from '@docwright/contract';
import { inTurns, type Steps } from '../../../platform/long-values/in-turns.ts';
import { ColumnStore, type RowBlock } from './column-store.ts';
import type { RowHead } from './row-head.ts';

/** A block of rows as it is stored. */
interface StoredBlock extends Omit<RowBlock, 'heads' | 'columns'> {
  ids: string[];
  names: string[];
  /** The different ones, and of each document the place of its own. */
  revisions: string[];
  revision: number[];
  version: number[];
  release: RowHead['release'][];
  verified: boolean[];
  complete: boolean[];
  changed: Float64Array;
  columns: [string, Cell[]][];
}

type Piece = { paths: string[] } | { block: StoredBlock } | { order: string; rows: Uint32Array };

const pieceOf = (piece: Piece): Buffer => serialize(piece);

const rowsOfBlock = 8_192;
/** A block with many columns or long texts has fewer rows: a piece is one record. About. */
const bytesOfBlock = 4_000_000;
const bytesOfNumber = 9;
const bytesOfHead = 100;
const rowsInStep = 500;
/** Those of the last looks: another one takes a second for a million rows. */
const maxOrders = 6;

/** The rows that a store has when this begins, by document and item, and its orders, in steps. */
export async function* piecesOfStore(store: ColumnStore): AsyncGenerator<Buffer> {
  const sorted = await store.orders.byId();
  const heads = store.heads();
  const orders = store.orders.through(heads.length).slice(0, maxOrders);
  const rows = sorted.filter((row) => heads[row] !== undefined);
  const paths = store.columns().map(({ path }) => path);
  const readers = paths.map((path) => [path, store.reader(path, heads)] as const);
  yield pieceOf({ paths });
  for (let at = 0; at < rows.length;) {
    const { block, end } = await inTurns(blockSteps(store, { heads, rows, at, readers }));
    yield pieceOf({ block });
    at = end;
  }
  const placeOf = new Uint32Array(heads.length);
  for (const [place, row] of rows.entries()) placeOf[row] = place;
  for (const [order, before] of orders) {
    const ordered = before.filter((row) => heads[row] !== undefined).map((row) => placeOf[row]!);
    if (ordered.length === rows.length) yield pieceOf({ order, rows: ordered });
  }
}

interface Taken {
  heads: readonly (RowHead | undefined)[];
  /** All rows in order, and where the block begins. */
  rows: Uint32Array;
  at: number;
  readers: readonly (readonly [string, (row: number) => Cell])[];
}

/** The next rows. A document of many rows goes on in the next block. */
function* blockSteps(
  store: ColumnStore,
  { heads, rows, at, readers }: Taken,
): Steps<{ block: StoredBlock; end: number }> {
  const found: RowHead[] = [];
  const counts: number[] = [];
  const items: (number | undefined)[] = [];
  const exact: [number, ReadonlyMap<string, string>][] = [];
  const columns = readers.map(([path]): [string, Cell[]] => [path, []]);
  let bytes = 0;
  let end = at;
  for (; end < rows.length; end += 1) {
    if (end - at >= rowsOfBlock || bytes > bytesOfBlock) break;
    const row = rows[end]!;
    const head = heads[row]!;
    if (head !== found.at(-1)) {
      found.push(head);
      counts.push(0);
      bytes += bytesOfHead + 2 * head.document_name.length;
    }
    counts[counts.length - 1]! += 1;
    items.push(store.item(row));
    const digits = store.exactOf(row);
    if (digits) exact.push([end - at, digits]);
    for (const [place, [, read]] of readers.entries()) {
      const cell = read(row);
      columns[place]![1].push(cell);
      bytes += bytesOfNumber + (typeof cell === 'string' ? 2 * cell.length : 0);
    }
    if (end % rowsInStep === 0) yield;
  }
  const revisions = [...new Set(found.map(({ prompt_revid }) => prompt_revid))];
  const placeOf = new Map(revisions.map((revision, place) => [revision, place]));
  const block: StoredBlock = {
    ids: found.map(({ document_id }) => document_id),
    names: found.map(({ document_name }) => document_name),
    revisions,
    revision: found.map(({ prompt_revid }) => placeOf.get(prompt_revid)!),
    version: found.map(({ version }) => version),
    release: found.map(({ release }) => release),
    verified: found.map(({ is_verified }) => is_verified),
    complete: found.map(({ is_complete }) => is_complete),
    changed: Float64Array.from(found, ({ changed_at }) => changed_at),
    ...(counts.some((count) => count !== 1) && { counts }),
    ...(items.some((item) => item !== undefined) && { items }),
    columns,
    exact,
  };
  return { block, end };
}

/** Throws for anything but pieces of one store. */
export async function storeOfPieces(pieces: AsyncIterable<Buffer>): Promise<ColumnStore> {
  const store = new ColumnStore();
  const orders: [string, Uint32Array][] = [];
  for await (const bytes of pieces) {
    const piece = deserialize(bytes) as Piece;
    if ('paths' in piece) store.addBlock({ heads: [], columns: piece.paths.map((path) => [path, []]), exact: [] });
    else if ('block' in piece) store.addBlock(rowsOf(piece.block));
    else orders.push([piece.order, piece.rows]);
  }
  if (orders.some(([, rows]) => rows.length !== store.end)) throw new Error('An order of a stored table is damaged.');
  store.orders.restore(orders);
  return store;
}

function rowsOf({ ids, names, revisions, revision, version, release, ...block }: StoredBlock): RowBlock {
  const { verified, complete, changed, counts, items, columns, exact } = block;
  const heads = ids.map((document_id, at): RowHead => ({
    document_id,
    document_name: names[at]!,
    prompt_revid: revisions[revision[at]!]!,
    version: version[at]!,
    release: release[at]!,
    is_verified: verified[at]!,
    is_complete: complete[at]!,
    changed_at: changed[at]!,
  }));
  return { heads, counts, items, columns, exact };
}
