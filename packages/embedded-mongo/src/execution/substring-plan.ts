import { BSONRegExp } from 'bson';
import { MongoError } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { SortField } from '../query/sort.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { groupOf, type SubstringIndex } from '../storage/substring-index.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { absentCondition } from './absent-condition.ts';
import { allOf, parametersFor, type EntryCondition } from './entry-condition.ts';
import { fieldBounds, type FieldBounds } from './field-bounds.ts';
import { coversFilter } from './index-candidate.ts';
import type { Alternative, IndexPlan, SubstringPlan } from './plan-kinds.ts';

/** The plans by indexes of the parts of texts. */
export function substringPlans(
  collection: StoredCollection,
  filter: BsonDocument,
  sort: SortField[],
): (Alternative & { plan: SubstringPlan })[] {
  if (collection.substringIndexes.length === 0) return [];
  const bounds = fieldBounds(filter);
  return collection.substringIndexes.flatMap((table) => {
    const contains = bounds.get(table.path)?.contains;
    const within = table.within.map((path) => onlyValue(bounds.get(path)));
    if (contains === undefined || !within.every((value) => value !== undefined)) return [];
    const found = searched(collection, table, contains.text, within);
    if (found === undefined) return [];
    const { expression, rows } = found;
    const covered = [table.path, ...table.within].filter((path) => !bounds.get(path)!.isInexact && !isDotted(path));
    const coveredPaths = new Set(covered.filter((path) => path !== table.path || isOnlyContains(bounds.get(path)!)));
    const conditions: EntryCondition[] = [];
    for (const [path, argument] of filter) {
      if (coveredPaths.has(path)) continue;
      const condition = absentCondition(collection, path, argument, maxCounted);
      if (condition === undefined) continue;
      conditions.push(condition);
      coveredPaths.add(path);
    }
    const plan: SubstringPlan = {
      kind: 'substring',
      table,
      expression,
      text: Buffer.from(contains.text),
      conditions,
      rows: rows < maxCounted ? rows : undefined,
      coveredPaths,
      isSorted: sort.length === 0,
      isExact: coversFilter(coveredPaths, filter),
    };
    return [{ plan, score: 0, narrowedBy: new Set([...table.within, `${table.path} contains`]) }];
  });
}

interface Searched {
  expression: string;
  /** Number of rows with the expression, at most `maxCounted`. */
  rows: number;
}

/** The last search of each index: a page and its count plan the same one several times. */
const lastSearches = new WeakMap<SubstringIndex, { key: string; version: number; searched: Searched | undefined }>();

function searched(
  { version }: StoredCollection,
  table: SubstringIndex,
  text: string,
  within: readonly BsonValue[],
): Searched | undefined {
  const key = `${groupOf(within)} ${text}`;
  const last = lastSearches.get(table);
  if (last?.key === key && last.version === version) return last.searched;
  const expression = table.expressionOf(text, within);
  const now = expression === undefined ? undefined : { expression, rows: table.countUpTo(expression, maxCounted) };
  lastSearches.set(table, { key, version, searched: now });
  return now;
}

const onlyValue = ({ equals }: FieldBounds = { isInexact: true }): BsonValue | undefined =>
  equals?.length === 1 && !(equals[0] instanceof BSONRegExp) ? equals[0] : undefined;

const isDotted = (path: string): boolean => path.includes('.');

const isOnlyContains = ({ equals, low, high, prefix }: FieldBounds): boolean =>
  [equals, low, high, prefix].every((condition) => condition === undefined);

/** Microseconds, as measured: to find a row with the text, to read its document, to check an entry against the rows found … */
const cost = { found: 1.5, document: 15, known: 0.3, searched: 2 };
/** Counting so many rows takes less than a millisecond. */
const maxCounted = 20_000;

/**
 * The walk of an index in the requested order with the condition that entries are of rows with the text, where it finds the
 * first documents sooner than all rows with the text are read. Undefined otherwise.
 *
 * @param end number of documents that are wanted
 * @param ordered the walk without the condition
 */
export function orderedSubstringPlan(
  collection: StoredCollection,
  filter: BsonDocument,
  search: SubstringPlan,
  end: number,
  ordered: IndexPlan,
): IndexPlan | undefined {
  if (ordered.condition || ordered.index.isIdentifier) return undefined;
  const { table, text, conditions, rows: few, coveredPaths: covered } = search;
  const limit = Math.max(maxCounted, Math.min(20 * end, 10 * maxCounted));
  const rows = few ?? table.countUpTo(search.expression, limit);
  // As if rows with the text were spread evenly.
  const entries = (collection.lastRow() * end) / Math.max(rows, 1);
  const byReading = rows * (cost.found + cost.document);
  const byGathering = rows * cost.found + entries * cost.known + end * cost.document;
  const bySearching = entries * cost.searched + end * cost.document;
  const coveredPaths = ordered.coveredPaths.union(covered);
  const isExact = coversFilter(coveredPaths, filter);
  // Without an end of its own, a search of entries has to find documents that match everything.
  const canSearch = isExact && table.within.every((path) => ordered.coveredPaths.has(path));
  const isFull = rows >= limit;
  if (canSearch && (isFull || bySearching < Math.min(byReading, byGathering))) {
    const contains: EntryCondition = {
      sql: `EXISTS (SELECT 1 FROM s${table.id} s WHERE s.rid = x.rid AND instr(s.text, ?) > 0)`,
      parameters: [text],
      checksAllEntries: false,
      isSearch: true,
    };
    return { ...ordered, condition: allOf([contains, ...conditions]), coveredPaths, isExact };
  }
  if (byReading <= byGathering) return undefined;
  const condition: EntryCondition = {
    sql: `x.rid IN (SELECT s.rid FROM ${rowsWithText(search)})`,
    parameters: parametersOf(search),
    checksAllEntries: true,
  };
  return { ...ordered, condition, coveredPaths, isExact };
}

/** The rows `s` of a plan: takes its parameters. */
export function rowsWithText({ table: { id }, conditions }: SubstringPlan): string {
  const others = conditions.map(({ sql }) => ` AND ${sql.replaceAll('x.rid', `t${id}.rowid`)}`).join('');
  return `t${id} CROSS JOIN s${id} s ON s.rid = t${id}.rowid WHERE t${id} MATCH ? AND instr(s.text, ?) > 0${others}`;
}

export const parametersOf = ({ expression, text, conditions }: SubstringPlan): (Buffer | number | string)[] => [
  expression,
  text,
  ...parametersFor(allOf(conditions), { low: Buffer.alloc(0) }),
];

/** Number of rows of a plan, at most `limit`. */
export async function countRowsWithText(
  { connection }: StoredCollection,
  plan: SubstringPlan,
  limit: number,
  yielder: Yielder,
): Promise<number> {
  const { table } = plan;
  const some = `SELECT s.rid AS rid FROM ${rowsWithText(plan)} AND t${table.id}.rowid > ? ORDER BY t${table.id}.rowid LIMIT ?`;
  let counted = 0;
  for (let after = -1; ;) {
    requireIndex(table);
    const step = Math.min(limit - counted, maxCounted);
    const counting = connection.statement(`SELECT count(*) AS n, max(rid) AS last FROM (${some})`);
    const { n, last } = counting.get(...parametersOf(plan), after, step)!;
    counted += Number(n);
    if (Number(n) < step || counted >= limit) return counted;
    after = Number(last);
    if (yielder.isDue) await yielder.yield();
  }
}

/** Throws QueryPlanKilled if the index was dropped while the command yielded. */
export function requireIndex(table: SubstringPlan['table']): void {
  if (table.isDropped) throw new MongoError(175, 'QueryPlanKilled', `index '${table.name}' dropped`);
}
