import type { CollectionIndex } from './collection-index.ts';
import type { FieldBounds } from './field-bounds.ts';
import type { KeyRange } from './key-ranges.ts';

/** A condition on the entries of an index besides its ranges: SQL about `x.k` and `x.rid`. */
export interface EntryCondition {
  sql: string;
  parameters: (Buffer | number)[];
  /** True when checking a few entries costs as much as checking all of them. */
  asksOfAll: boolean;
}

/**
 * The condition that a string field of an index contains a text. Undefined when the keys cannot decide it: the field
 * must have exactly one part in the key, ascending, that holds the whole value.
 */
export function containsCondition(
  index: CollectionIndex,
  field: number,
  bounds: FieldBounds,
  before: readonly KeyRange[],
): EntryCondition | undefined {
  const { contains, equals, low, high, prefix } = bounds;
  const others = [equals, low, high, prefix].some((demand) => demand !== undefined);
  if (contains === undefined || others || before.length !== 1) return undefined;
  if (index.isIdentifier || index.multikey || index.fields[field]!.direction < 0) return undefined;
  // The part is a byte for the type, the text and a zero. Checking the whole key first decides most entries.
  const text = `substr(x.k, ${before[0]!.low.length + 2})`;
  const bytes = Buffer.from(contains);
  return {
    sql: `instr(x.k, ?) > 0 AND instr(substr(${text}, 1, instr(${text}, x'00') - 1), ?) > 0`,
    parameters: [bytes, bytes],
    asksOfAll: false,
  };
}

/** The condition that the document of an entry is also in a range of another index, under that index's condition. */
export function withinCondition(
  index: CollectionIndex,
  ranges: readonly KeyRange[],
  own: EntryCondition,
): EntryCondition {
  const one = `SELECT x.rid FROM x${index.id} x WHERE x.k >= ? AND x.k <= ? AND ${own.sql}`;
  return {
    sql: `x.rid IN (${ranges.map(() => one).join(' UNION ALL ')})`,
    parameters: ranges.flatMap(({ low, high }) => [low, high, ...own.parameters]),
    asksOfAll: true,
  };
}
