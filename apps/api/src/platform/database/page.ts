import { DomainError, maxCounted, type Counted } from '@docwright/contract';
import mongoose, { type Model, type QueryFilter } from 'mongoose';

/** Ends with `_id`, so that pages neither overlap nor leave a record out. All fields have one direction. */
type Sort = Record<string, 1 | -1>;

/** The page of a list: from `skip` on, or behind a page before it. */
export interface PageSelection {
  skip: number;
  limit: number;
  /** The `next_cursor` of the page before. `skip` then counts from there. */
  cursor?: string | undefined;
  /** Counts beyond `maxCounted`. */
  exact_count?: boolean | undefined;
}

interface PageOf<Stored> extends PageSelection {
  sort: Sort;
  projection?: Record<string, 0 | 1>;
  /** For a list whose number is known in another way. */
  count?: () => Promise<Counted>;
  /** Reads in another way than `find`. */
  read?: (filter: QueryFilter<Stored>, selection: { sort: Sort; skip: number; limit: number }) => PromiseLike<Stored[]>;
}

export interface PageEnd extends Counted {
  next_cursor?: string;
}

/**
 * A page of the records that match, and how many there are. They are counted only where the page does not show it, and up to
 * `maxCounted`: a count costs as much as the page. Throws `cursor_not_valid`.
 *
 * @example const { records, end } = await readPage(model, filter, { ...page, sort: { _id: -1 } });
 */
export async function readPage<Stored>(
  model: Model<Stored>,
  filter: QueryFilter<Stored>,
  { sort, skip, limit, cursor, exact_count, projection = {}, count, read }: PageOf<Stored>,
): Promise<{ records: Stored[]; end: PageEnd }> {
  const selected = (
    cursor === undefined ? filter : { $and: [filter, afterCursor(cursor, sort)] }
  ) as QueryFilter<Stored>;
  // One more than the page shows whether another follows.
  const selection = { sort, skip, limit: limit + 1 };
  const found = await (read?.(selected, selection) ??
    model.find(selected, projection).sort(sort).skip(skip).limit(selection.limit).lean<Stored[]>());
  const records = found.slice(0, limit);
  const last = records.at(-1);
  const isLast = found.length <= limit;
  const showsTotal = isLast && cursor === undefined && (found.length > 0 || skip === 0);
  const counted = showsTotal
    ? { total_count: skip + found.length }
    : await (count?.() ?? countUpTo(model, filter, exact_count === true ? Infinity : maxCounted));
  return { records, end: { ...counted, ...(!isLast && last && { next_cursor: cursorOf(last, sort) }) } };
}

/**
 * A page of a list that is in memory. Its cursor names the last item of the page before, and has its place in case that
 * the item is gone. `beyond` counts what of `skip` is left behind the end of the list.
 *
 * @param keyOf what no two items have alike
 * @example const { items, end } = pageOfItems(routes, page, ({ id }) => id);
 */
export function pageOfItems<Item>(
  all: readonly Item[],
  { skip, limit, cursor }: PageSelection,
  keyOf: (item: Item) => string,
): { items: Item[]; end: PageEnd; beyond: number } {
  const from = (cursor === undefined ? 0 : placeAfter(all, cursor, keyOf)) + skip;
  const items = all.slice(from, from + limit);
  const next = from + items.length;
  const last = items.at(-1);
  const hasMore = next < all.length && last !== undefined;
  return {
    items,
    end: { total_count: all.length, ...(hasMore && { next_cursor: cursorBehind(keyOf(last), next - 1) }) },
    beyond: Math.max(from - all.length, 0),
  };
}

/**
 * A page of a list that is in memory, in an order. Its cursor has the values of the last item in the fields of the order, so
 * that the next page begins with the first item behind them, also if items have left the list or moved within it.
 *
 * @param sort ends with a field that no two items have alike
 * @example const { items, end } = pageInOrder(groups, page, { expires: 1, group: 1 });
 */
export function pageInOrder<Item extends object>(
  all: readonly Item[],
  { skip, limit, cursor }: PageSelection,
  sort: Partial<Record<keyof Item & string, 1 | -1>> & Sort,
): { items: Item[]; end: PageEnd } {
  const valuesOf = (item: Item) => Object.keys(sort).map((field) => (item as Record<string, unknown>)[field]);
  const compare = comparison(Object.values(sort));
  const sorted = all.toSorted((one, other) => compare(valuesOf(one), valuesOf(other)));
  const before = cursor === undefined ? undefined : decoded(cursor, orderOf(sort), Object.keys(sort).length);
  const behind = before ? sorted.filter((item) => compare(valuesOf(item), before) > 0) : sorted;
  const items = behind.slice(skip, skip + limit);
  const last = items.at(-1);
  const hasMore = skip + limit < behind.length && last !== undefined;
  return { items, end: { total_count: all.length, ...(hasMore && { next_cursor: cursorOf(last, sort) }) } };
}

/** Compares the values of two items, each in its direction. */
function comparison(directions: readonly (1 | -1)[]) {
  return (one: readonly unknown[], other: readonly unknown[]): number => {
    for (const [at, direction] of directions.entries()) {
      const [a, b] = [one[at] as string, other[at] as string];
      if (a < b) return -direction;
      if (a > b) return direction;
    }
    return 0;
  };
}

/** The cursor of what follows an item of a list in memory. */
export const cursorBehind = (key: string, place: number): string => encoded(inMemory, [key, place]);

/** Whether the cursor is of a list in memory: the first part of some lists is, and records follow it. */
export const isOfMemory = (cursor: string): boolean => cursor.startsWith(startOfMemory);

const inMemory = 'place';
const startOfMemory = Buffer.from(`{"order":"${inMemory}"`).toString('base64url').slice(0, -1);

function placeAfter<Item>(all: readonly Item[], cursor: string, keyOf: (item: Item) => string): number {
  const [key, place] = decoded(cursor, inMemory, 2);
  const at = all.findIndex((item) => keyOf(item) === key);
  return at < 0 ? Number(place) : at + 1;
}

/**
 * How many records match, counted up to `max`, which is that of every list; beyond it `total_is_minimum` is set.
 */
async function countUpTo<Stored>(
  model: Model<Stored>,
  filter: QueryFilter<Stored>,
  max = maxCounted,
): Promise<Counted> {
  const count = await model.countDocuments(filter, max === Infinity ? {} : { limit: max + 1 });
  return count > max ? { total_count: max, total_is_minimum: true } : { total_count: count };
}

/** The values of a record in the fields of an order. */
function cursorOf(record: object, sort: Sort): string {
  return encoded(
    orderOf(sort),
    Object.keys(sort).map((field) => valueAt(record, field)),
  );
}

/** Null for a missing value, as in the order. */
function valueAt(record: object, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], record);
  return value ?? null;
}

/** The records behind a cursor. The first field also has a bound of its own, by which an index begins there. */
function afterCursor(cursor: string, sort: Sort): object {
  const fields = Object.entries(sort);
  const values = decoded(cursor, orderOf(sort), fields.length);
  const beyond = fields.flatMap(([field, direction], at) => {
    const behind = behindValue(values[at], direction);
    if (behind === undefined) return [];
    const same = fields.slice(0, at).map(([before], index) => [before, { $eq: values[index] }]);
    return [{ ...Object.fromEntries(same), [field]: behind }];
  });
  const [first, direction] = fields[0]!;
  const bound = values[0] === null ? {} : { [first]: { [direction > 0 ? '$gte' : '$lte']: values[0] } };
  return { ...bound, $or: beyond };
}

/** Records without the field are the first in an ascending order. Undefined if nothing follows. */
function behindValue(value: unknown, direction: 1 | -1): object | undefined {
  if (value === null) return direction > 0 ? { $ne: null } : undefined;
  return { [direction > 0 ? '$gt' : '$lt']: value };
}

/** Text of JSON in base64url, opaque to clients. */
function encoded(order: string, values: readonly unknown[]): string {
  const text = mongoose.mongo.BSON.EJSON.stringify({ order, values }, { relaxed: false });
  return Buffer.from(text).toString('base64url');
}

function decoded(cursor: string, expected: string, count: number): unknown[] {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    const { order, values }: { order?: unknown; values?: unknown } = mongoose.mongo.BSON.EJSON.parse(text);
    if (order === expected && Array.isArray(values) && values.length === count && values.every(isPlain)) return values;
  } catch {
    // Not from this server.
  }
  throw cursorNotValid();
}

/** The error for a cursor of another list, filter or order. */
export function cursorNotValid(): DomainError {
  return new DomainError(
    'invalid',
    'cursor_not_valid',
    'The cursor is not of this list with this filter and order. Begin without a cursor, with the same query for all pages.',
  );
}

const orderOf = (sort: Sort): string => JSON.stringify(sort);

/** A value of a field that lists are sorted by; nothing that a query would read as an operator. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  value instanceof Date ||
  value instanceof mongoose.Types.ObjectId;
