import { BSONRegExp, Decimal128, ObjectId } from 'bson';
import { compareValues } from '../values/compare.ts';
import {
  isDocument,
  isOperatorDocument,
  isTruthy,
  typeOrder,
  type BsonDocument,
  type BsonValue,
} from '../values/value.ts';

/** The conditions of a filter on one path, as far as an index can use them. */
export interface FieldBounds {
  /** The path equals one of these values. */
  equals?: BsonValue[];
  low?: Limit;
  high?: Limit;
  /** The path is a string with this prefix, or the pattern. */
  prefix?: TextBound;
  /**
   * The path is a string that contains this text, or the pattern. A second such condition is not recorded and makes the
   * path inexact.
   */
  contains?: TextBound;
  /** True when the path must have a value: `$exists: true`, or `$ne: null`. */
  isPresent?: boolean;
  /** True when the filter has a condition on the path that is not recorded here, or a limit. */
  isInexact: boolean;
  /** True when the limits are all that the filter says of the path, and keys within them are exactly the values within them. */
  isExactRange?: boolean;
}

/** A bound of values. A bound that is itself not wanted is open. */
interface Limit {
  value: BsonValue;
  isOpen: boolean;
}

/** What a pattern without options says about a string. A stored pattern that is identical matches too. */
interface TextBound {
  text: string;
  pattern: string;
}

const maxAlternatives = 20_000;

/** The conditions of a filter, by path. A condition that no index can use is left out and makes the path inexact. */
export function fieldBounds(filter: BsonDocument): Map<string, FieldBounds> {
  const bounds = new Map<string, FieldBounds>();
  collect(filter, '', bounds);
  return bounds;
}

function collect(filter: BsonDocument, prefix: string, all: Map<string, FieldBounds>): void {
  for (const [name, argument] of filter) {
    if (name === '$and' && Array.isArray(argument)) {
      for (const clause of argument) if (isDocument(clause)) collect(clause, prefix, all);
    }
    if (name.startsWith('$')) continue;
    const path = prefix + name;
    const bounds = all.get(path) ?? { isInexact: false };
    all.set(path, bounds);
    if (argument instanceof BSONRegExp) addPattern(bounds, argument.pattern, argument.options);
    else if (isOperatorDocument(argument)) addOperators(path, argument, bounds, all);
    else addEquality(bounds, [argument]);
  }
}

function addOperators(path: string, operators: BsonDocument, bounds: FieldBounds, all: Map<string, FieldBounds>): void {
  for (const [operator, argument] of operators) {
    if (operator === '$eq') addEquality(bounds, [argument]);
    else if (operator === '$in' && Array.isArray(argument)) addEquality(bounds, argument);
    else if (operator === '$all' && Array.isArray(argument) && argument.length > 0) {
      addEquality(bounds, argument.slice(0, 1));
      if (argument.length > 1) makeInexact(bounds);
    } else if (operator === '$gt' || operator === '$gte') addLimit(bounds, 'low', argument, operator === '$gt');
    else if (operator === '$lt' || operator === '$lte') addLimit(bounds, 'high', argument, operator === '$lt');
    else if (operator === '$regex') addPattern(bounds, argument, operators.get('$options'));
    else {
      makeInexact(bounds);
      if ((operator === '$exists' && isTruthy(argument)) || (operator === '$ne' && argument === null))
        bounds.isPresent = true;
      if (operator === '$elemMatch' && isDocument(argument) && !isOperatorDocument(argument)) {
        collect(argument, `${path}.`, all);
      }
    }
  }
}

const isUsable = (value: BsonValue): boolean =>
  !Array.isArray(value) && !(value instanceof BSONRegExp) && !isOperatorDocument(value);

/** Of two lists of values, the shorter one is kept: each alone finds what both allow. */
function addEquality(bounds: FieldBounds, values: BsonValue[]): void {
  const isKept = values.length <= maxAlternatives && values.every(isUsable);
  if (bounds.equals || !isKept) makeInexact(bounds);
  if (isKept && !(bounds.equals && bounds.equals.length <= values.length)) bounds.equals = values;
  if (values.some((value) => value instanceof Decimal128)) makeInexact(bounds);
}

function makeInexact(bounds: FieldBounds): void {
  bounds.isInexact = true;
  bounds.isExactRange = false;
}

/** Equal values of these types have one key, and none of them is outside of their order, as NaN is. */
const isPlainlyOrdered = (value: BsonValue): boolean =>
  typeof value === 'string' || value instanceof Date || value instanceof ObjectId;

/** Of two limits, the narrower one is kept. */
function addLimit(bounds: FieldBounds, side: 'low' | 'high', value: BsonValue, isOpen: boolean): void {
  const { isExactRange = !bounds.isInexact } = bounds;
  // The keys up to an open upper limit have the limit itself too.
  const isExact = bounds[side] === undefined && isPlainlyOrdered(value) && !(side === 'high' && isOpen);
  bounds.isExactRange = isExactRange && isExact;
  bounds.isInexact = true;
  if (value === null || !isUsable(value)) return;
  const before = bounds[side];
  const order = before === undefined ? 0 : compareValues(value, before.value);
  if (
    before === undefined ||
    (typeOrder(value) === typeOrder(before.value) && (side === 'low' ? order > 0 : order < 0))
  )
    bounds[side] = { value, isOpen };
}

/**
 * A pattern that starts with `^` and plain text is a range of strings. A pattern of plain text is a substring search.
 */
function addPattern(bounds: FieldBounds, pattern: BsonValue, options: BsonValue | undefined): void {
  const literal = typeof pattern === 'string' && (options ?? '') === '' ? literalOf(pattern) : undefined;
  if (literal !== undefined && bounds.contains === undefined) {
    bounds.contains = { text: literal, pattern: pattern as string };
    return;
  }
  makeInexact(bounds);
  let text = pattern;
  let flags = options ?? '';
  if (pattern instanceof BSONRegExp) {
    text = pattern.pattern;
    flags = options ?? pattern.options;
  }
  if (typeof text !== 'string' || flags !== '' || /[|\0]/.test(text)) return;
  const match = /^\^([A-Za-z0-9 _\-:@/,]+)(.?)/.exec(text);
  if (!match) return;
  const prefix = /[*?{]/.test(match[2]!) ? match[1]!.slice(0, -1) : match[1]!;
  if (prefix !== '') bounds.prefix = { text: prefix, pattern: text };
}

/**
 * The text of a pattern of plain text; undefined for any other pattern. Control characters are not plain, because keys
 * escape some of them.
 */
function literalOf(pattern: string): string | undefined {
  if (!/^(?:[^\\^$.*+?()[\]{}|\p{Cc}]|\\[^\p{L}\p{N}\p{Cc}_])+$/u.test(pattern) || !pattern.isWellFormed())
    return undefined;
  return pattern.replace(/\\(.)/gsu, '$1');
}
