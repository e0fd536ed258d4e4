import { DomainError, maxCounted, type Counted } from '@docwright/contract';
import mongoose, { type Model, type QueryFilter } from 'mongoose';

/** Ends with `_id`, so that pages neither overlap nor leave a record out. All fields have one direction. */
type Sort = Record<string, 1 | -1>;

interface PageOf {
  sort: Sort;
  skip: number;
  limit: number;
  /** The `next_cursor` of the page before. `skip` then counts from there. */
  cursor?: string | undefined;
  /** Counts beyond `maxCounted`. */
  exact_count?: boolean | undefined;
}

export interface PageEnd extends Counted {
  next_cursor?: string;
}

/**
 * A page of the records that match, and how many there are: counting stops at `maxCounted`, so that the length of a list
 * costs nothing to look at. Throws `cursor_not_valid`.
 */
export async function readPage<Stored extends { _id: mongoose.Types.ObjectId }>(
  model: Model<Stored>,
  filter: QueryFilter<Stored>,
  { sort, skip, limit, cursor, exact_count }: PageOf,
): Promise<{ records: Stored[]; end: PageEnd }> {
  const selected = cursor === undefined ? filter : { $and: [filter, afterCursor(cursor, sort)] };
  const [found, counted] = await Promise.all([
    model
      .find(selected as QueryFilter<Stored>)
      .sort(sort)
      .skip(skip)
      .limit(limit + 1)
      .lean<Stored[]>(),
    countUpTo(model, filter, exact_count === true ? Infinity : maxCounted),
  ]);
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return {
    records,
    end: { ...counted, ...(found.length > limit && last !== undefined && { next_cursor: cursorOf(last, sort) }) },
  };
}

/**
 * How many records match, counted up to `max`, which is that of every list; beyond it `total_is_minimum` is set.
 *
 * @example const [records, counted] = await withTotal(page, { skip, limit }, () => countUpTo(model, filter));
 */
export async function countUpTo<Stored>(
  model: Model<Stored>,
  filter: QueryFilter<Stored>,
  max = maxCounted,
): Promise<Counted> {
  const count = await model.countDocuments(filter, max === Infinity ? {} : { limit: max + 1 });
  return count > max ? { total_count: max, total_is_minimum: true } : { total_count: count };
}

/** The values of a record in the fields of an order: text of JSON in base64url, opaque to clients. */
function cursorOf(record: object, sort: Sort): string {
  const values = Object.keys(sort).map((field) => (record as Record<string, unknown>)[field] ?? null);
  const text = mongoose.mongo.BSON.EJSON.stringify({ order: orderOf(sort), values }, { relaxed: false });
  return Buffer.from(text).toString('base64url');
}

/** The records behind a cursor. The first field also has a bound of its own, by which an index begins there. */
function afterCursor(cursor: string, sort: Sort): object {
  const values = valuesOf(cursor, sort);
  const fields = Object.entries(sort);
  const beyond = fields.map(([field, direction], at) => ({
    ...Object.fromEntries(fields.slice(0, at).map(([before], index) => [before, { $eq: values[index] }])),
    [field]: { [direction > 0 ? '$gt' : '$lt']: values[at] },
  }));
  const [first, direction] = fields[0]!;
  return { [first]: { [direction > 0 ? '$gte' : '$lte']: values[0] }, $or: beyond };
}

function valuesOf(cursor: string, sort: Sort): unknown[] {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    const parsed: { order?: unknown; values?: unknown } = mongoose.mongo.BSON.EJSON.parse(text);
    const { order, values } = parsed;
    const count = Object.keys(sort).length;
    if (order === orderOf(sort) && Array.isArray(values) && values.length === count && values.every(isPlain))
      return values;
  } catch {
    // Not from this server.
  }
  throw new DomainError(
    'invalid',
    'cursor_not_valid',
    'The cursor is not of this list and its order. Begin without a cursor, with the same sort and order for all pages.',
  );
}

const orderOf = (sort: Sort): string => JSON.stringify(sort);

/** A value of a field that lists are sorted by; nothing that a query would read as an operator. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) || value instanceof Date || value instanceof mongoose.Types.ObjectId;
