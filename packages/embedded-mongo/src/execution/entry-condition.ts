import type { CollectionIndex } from '../storage/collection-index.ts';
import { TypeOrder } from '../values/value.ts';
import type { FieldBounds } from './field-bounds.ts';
import type { KeyRange } from './key-ranges.ts';

/** The parameter for where the fields behind the leading ones begin in the keys of a range, from 1. */
export const rangeEnd = Symbol('where the fields behind a range begin');

/** The parameters of a condition for the entries of a range. */
export const parametersFor = (
  condition: Pick<EntryCondition, 'parameters'> | undefined,
  { low }: Pick<KeyRange, 'low'>,
): (Buffer | number | string)[] =>
  (condition?.parameters ?? []).map((parameter) => (parameter === rangeEnd ? low.length + 1 : parameter));

/** A condition on the entries of an index, in addition to its ranges: SQL on `x.k` and `x.rid`. */
export interface EntryCondition {
  sql: string;
  parameters: (Buffer | number | string | typeof rangeEnd)[];
  /** True when checking a few entries costs as much as checking all of them. */
  checksAllEntries: boolean;
  /** True when each entry costs a search in another index. */
  isSearch?: boolean;
}

/**
 * The condition that a string field of an index contains a text. Undefined when the keys cannot decide it: they can
 * only if they hold the field's whole value once, in ascending order.
 */
export function containsCondition(
  index: CollectionIndex,
  field: number,
  bounds: FieldBounds,
  before: readonly KeyRange[],
): EntryCondition | undefined {
  const { contains, equals, low, high, prefix } = bounds;
  const hasOthers = [equals, low, high, prefix].some((condition) => condition !== undefined);
  if (contains === undefined || hasOthers || before.length !== 1) return undefined;
  if (index.isIdentifier || index.isMultikey || index.fields[field]!.direction < 0) return undefined;
  // The field's part of a key is a byte for the type, the text and a zero byte. Most entries fail the check of the
  // whole key.
  const start = before[0]!.low.length + 1;
  const text = `substr(x.k, ${start + 1})`;
  const bytes = Buffer.from(contains.text);
  const hasText = `instr(x.k, ?) > 0 AND instr(substr(${text}, 1, instr(${text}, x'00') - 1), ?) > 0`;
  // The only stored pattern in the ranges is the identical one. With escapes it does not contain the text.
  const isPattern = `substr(x.k, ${start}, 1) = x'${TypeOrder.regex.toString(16)}'`;
  return {
    sql: contains.pattern === contains.text ? hasText : `(${hasText} OR ${isPattern})`,
    parameters: [bytes, bytes],
    checksAllEntries: false,
  };
}

/** The condition that the document of an entry is also in a range of another index, under that index's condition. */
export function withinCondition(
  index: CollectionIndex,
  ranges: readonly KeyRange[],
  own?: EntryCondition,
): EntryCondition {
  const one = `SELECT x.rid FROM x${index.id} x WHERE x.k >= ? AND x.k <= ?${own ? ` AND ${own.sql}` : ''}`;
  return {
    sql: `x.rid IN (${ranges.map(() => one).join(' UNION ALL ')})`,
    parameters: ranges.flatMap(({ low, high }) => [low, high, ...(own?.parameters ?? [])]),
    checksAllEntries: true,
  };
}

/** The condition that an entry meets all of several; undefined for none. */
export const allOf = (conditions: readonly EntryCondition[]): EntryCondition | undefined =>
  conditions.length === 0
    ? undefined
    : {
        sql: conditions.map(({ sql }) => sql).join(' AND '),
        parameters: conditions.flatMap(({ parameters }) => parameters),
        checksAllEntries: conditions.some(({ checksAllEntries }) => checksAllEntries),
        isSearch: conditions.some(({ isSearch }) => isSearch === true),
      };
