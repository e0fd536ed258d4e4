import { BSONRegExp, ObjectId } from 'bson';
import { badValue, failedToParse } from '../errors/mongo-error.ts';
import { compileRegularExpression } from '../expression/regular-expression.ts';
import { toNumber } from '../values/number.ts';
import { show } from '../values/show.ts';
import { BsonType, isNumber, isOperatorDocument, type BsonValue } from '../values/value.ts';
import { onValues, onWholeValue, type Predicate, type ValuePredicate } from './predicate.ts';
import { equalTo, ofTypes, typesNamed } from './value-predicates.ts';

/** True when the path equals the value, or matches it if it is a regular expression. */
export function equals(path: string, value: BsonValue): Predicate {
  return value instanceof BSONRegExp ? matchesPattern(path, value) : onValues(path, equalTo(value));
}

/** True for a value that equals one of the arguments of `$in`, or matches one that is a regular expression. */
export function oneOf(operator: string, argument: BsonValue): ValuePredicate {
  if (!Array.isArray(argument)) throw badValue(`${operator} needs an array`);
  if (argument.some(isOperatorDocument)) throw badValue(`cannot nest $ under ${operator}`);
  const texts = new Set<BsonValue>();
  const identifiers = new Set<string>();
  const others: ValuePredicate[] = [];
  for (const value of argument) {
    if (typeof value === 'string') texts.add(value);
    else if (value instanceof ObjectId) identifiers.add(value.toHexString());
    else others.push(value instanceof BSONRegExp ? patternPredicate(value) : equalTo(value));
  }
  return (value) => {
    if (typeof value === 'string' && texts.has(value)) return true;
    if (value instanceof ObjectId) return identifiers.has(value.toHexString());
    return others.some((predicate) => predicate(value));
  };
}

export function hasType(path: string, argument: BsonValue): Predicate {
  const types = typesNamed(argument);
  const values = onValues(path, ofTypes(types));
  if (!types.has(BsonType.array)) return values;
  const arrays = onWholeValue(path, Array.isArray);
  return (document, positions) => arrays(document, positions) || values(document, positions);
}

export function hasSize(path: string, argument: BsonValue): Predicate {
  const size = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (!Number.isInteger(size) || size < 0) {
    throw failedToParse(`Failed to parse $size. Expected a non-negative integer in: $size: ${show(argument)}`);
  }
  return onWholeValue(path, (value) => Array.isArray(value) && value.length === size);
}

export const matchesPattern = (path: string, pattern: BsonValue, options?: BsonValue): Predicate =>
  onValues(path, patternPredicate(pattern, options));

/** True for a string that matches, and for a stored pattern with the same text and options. */
function patternPredicate(pattern: BsonValue, options?: BsonValue): ValuePredicate {
  const expression = compileRegularExpression(pattern, options);
  const text = pattern instanceof BSONRegExp ? pattern.pattern : pattern;
  const flags = options ?? (pattern instanceof BSONRegExp ? pattern.options : '');
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    return value instanceof BSONRegExp && value.pattern === text && value.options === flags;
  };
}
