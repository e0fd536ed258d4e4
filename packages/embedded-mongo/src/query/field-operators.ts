import { BSONRegExp, ObjectId } from 'bson';
import { toNumber } from '../bson/number.ts';
import { show } from '../bson/show.ts';
import {
  BsonType,
  isDocument,
  isNumber,
  isOperatorDocument,
  isTruthy,
  type BsonDocument,
  type BsonValue,
} from '../bson/value.ts';
import { badValue, failedToParse } from '../errors.ts';
import { refuseUnsupported } from '../unsupported.ts';
import { compileFilter, type Variables } from './filter.ts';
import {
  everyOf,
  noneOf,
  onElements,
  onValues,
  onWholeValue,
  type Predicate,
  type ValuePredicate,
} from './predicate.ts';
import { compileRegularExpression } from '../expression/regular-expression.ts';
import { bitsOf, comparedTo, equalTo, ofTypes, remainderOf, typesNamed } from './value-predicates.ts';

/** Compiles `{ path: { $op: argument, … } }`. Throws BadValue for an unknown operator. */
export function compileOperators(path: string, operators: BsonDocument, variables: Variables): Predicate {
  const predicates: Predicate[] = [];
  for (const [operator, argument] of operators) {
    const predicate = compileOperator(path, operator, argument, operators, variables);
    if (predicate) predicates.push(predicate);
  }
  return everyOf(predicates);
}

export function equals(path: string, value: BsonValue): Predicate {
  return value instanceof BSONRegExp ? matchesPattern(path, value) : onValues(path, equalTo(value));
}

function compileOperator(
  path: string,
  operator: string,
  argument: BsonValue,
  siblings: BsonDocument,
  variables: Variables,
): Predicate | undefined {
  switch (operator) {
    case '$eq':
      return onValues(path, equalTo(argument));
    case '$ne':
      if (argument instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
      return noneOf(onValues(path, equalTo(argument)));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (argument instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field '${path}'.`);
      return onValues(path, comparedTo(operator, argument));
    case '$in':
      return onValues(path, oneOf(operator, argument));
    case '$nin':
      return noneOf(onValues(path, oneOf(operator, argument)));
    case '$exists': {
      const exists = onWholeValue(path, (value) => value !== undefined);
      return isTruthy(argument) ? exists : noneOf(exists);
    }
    case '$type':
      return hasType(path, argument);
    case '$regex':
      return matchesPattern(path, argument, siblings.get('$options'));
    case '$options':
      if (!siblings.has('$regex')) throw badValue('$options needs a $regex');
      return undefined;
    case '$not':
      return noneOf(negated(path, argument, variables));
    case '$size':
      return hasSize(path, argument);
    case '$mod':
      return onValues(path, remainderOf(argument));
    case '$all':
      return hasAll(path, argument, variables);
    case '$elemMatch':
      return onElements(path, elementPredicate(argument, variables));
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return onValues(path, bitsOf(operator, argument));
    case '$comment':
      return undefined;
    default:
      refuseUnsupported('query', operator);
      throw badValue(`unknown operator: ${operator}`);
  }
}

function oneOf(operator: string, argument: BsonValue): ValuePredicate {
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

function hasType(path: string, argument: BsonValue): Predicate {
  const types = typesNamed(argument);
  const values = onValues(path, ofTypes(types));
  if (!types.has(BsonType.array)) return values;
  const arrays = onWholeValue(path, Array.isArray);
  return (document, positions) => arrays(document, positions) || values(document, positions);
}

function hasSize(path: string, argument: BsonValue): Predicate {
  const size = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (!Number.isInteger(size) || size < 0) {
    throw failedToParse(`Failed to parse $size. Expected a non-negative integer in: $size: ${show(argument)}`);
  }
  return onWholeValue(path, (value) => Array.isArray(value) && value.length === size);
}

function negated(path: string, argument: BsonValue, variables: Variables): Predicate {
  if (argument instanceof BSONRegExp) return matchesPattern(path, argument);
  if (!isDocument(argument)) throw badValue('$not needs a regex or a document');
  if (argument.size === 0) throw badValue('$not cannot be empty');
  return compileOperators(path, argument, variables);
}

function hasAll(path: string, argument: BsonValue, variables: Variables): Predicate {
  if (!Array.isArray(argument)) throw badValue('$all needs an array');
  if (argument.length === 0) return () => false;
  return everyOf(
    argument.map((wanted) => {
      if (!isOperatorDocument(wanted)) return equals(path, wanted);
      if (!wanted.has('$elemMatch')) throw badValue('no $ expressions in $all');
      return compileOperators(path, wanted, variables);
    }),
  );
}

const logical = new Set(['$and', '$or', '$nor', '$expr', '$where']);

/** The argument of `$elemMatch` and `$pull`: operators on the element itself, or a filter on its fields. */
export function elementPredicate(argument: BsonValue, variables: Variables): ValuePredicate {
  if (!isDocument(argument)) throw badValue('$elemMatch needs an Object');
  const [first] = argument.keys();
  if (isOperatorDocument(argument) && !logical.has(first!)) {
    const predicate = compileOperators('element', argument, variables);
    return (value) => value !== undefined && predicate(new Map([['element', value]]));
  }
  const predicate = compileFilter(argument, variables);
  return (value) => {
    if (Array.isArray(value)) return predicate(new Map(value.map((element, index) => [String(index), element])));
    return isDocument(value) && predicate(value);
  };
}

const matchesPattern = (path: string, pattern: BsonValue, options?: BsonValue): Predicate =>
  onValues(path, patternPredicate(pattern, options));

function patternPredicate(pattern: BsonValue, options?: BsonValue): ValuePredicate {
  const expression = compileRegularExpression(pattern, options);
  const same = pattern instanceof BSONRegExp ? equalTo(pattern) : () => false;
  return (value) => (typeof value === 'string' ? expression.test(value) : value instanceof BSONRegExp && same(value));
}
