import { BSONRegExp } from 'bson';
import { badValue, indexNotFound } from '../errors/mongo-error.ts';
import { rejectUnsupported } from '../errors/unsupported.ts';
import { compileExpression } from '../expression/expression.ts';
import { noVariables, type Variables } from '../expression/scope.ts';
import {
  isDocument,
  isOperatorDocument,
  isReferenceField,
  isTruthy,
  type BsonDocument,
  type BsonValue,
} from '../values/value.ts';
import { equals, hasSize, hasType, matchesPattern, oneOf } from './field-predicates.ts';
import {
  anyOf,
  everyOf,
  noneOf,
  onElements,
  onValues,
  onWholeValue,
  type Predicate,
  type ValuePredicate,
} from './predicate.ts';
import { bitsOf, comparedTo, equalTo, remainderOf } from './value-predicates.ts';

/** Compiles a filter. Throws MongoDB's error for an unknown or unsupported operator. */
export function compileFilter(filter: BsonDocument, variables: Variables = noVariables): Predicate {
  const predicates: Predicate[] = [];
  for (const [name, argument] of filter) {
    if (name.startsWith('$') && !isReferenceField(name)) {
      const predicate = compileLogical(name, argument, variables);
      if (predicate) predicates.push(predicate);
    } else if (isOperatorDocument(argument)) predicates.push(compileOperators(name, argument, variables));
    else predicates.push(equals(name, argument));
  }
  return predicates.length > 0 ? everyOf(predicates) : () => true;
}

function compileLogical(name: string, argument: BsonValue, variables: Variables): Predicate | undefined {
  switch (name) {
    case '$and':
      return everyOf(compileClauses(argument, variables));
    case '$or':
      return anyOf(compileClauses(argument, variables));
    case '$nor':
      return noneOf(anyOf(compileClauses(argument, variables)));
    case '$expr': {
      const evaluate = compileExpression(argument, new Set(variables.keys()));
      return (document) => isTruthy(evaluate({ root: document, variables }));
    }
    case '$alwaysTrue':
      return () => true;
    case '$alwaysFalse':
      return () => false;
    case '$comment':
      return undefined;
    case '$text':
      throw indexNotFound('text index required for $text query');
    default:
      rejectUnsupported('query', name);
      throw badValue(
        `unknown top level operator: ${name}. If you are trying to negate an entire expression, use $nor.`,
      );
  }
}

function compileClauses(argument: BsonValue, variables: Variables): Predicate[] {
  if (!Array.isArray(argument)) throw badValue('$and/$or/$nor must be an array');
  if (argument.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  return argument.map((clause) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileFilter(clause, variables);
  });
}

/** Compiles `{ path: { $op: argument, … } }`. Throws BadValue for an unknown operator. */
function compileOperators(path: string, operators: BsonDocument, variables: Variables): Predicate {
  const predicates: Predicate[] = [];
  for (const [operator, argument] of operators) {
    const predicate = compileOperator(path, operator, argument, operators, variables);
    if (predicate) predicates.push(predicate);
  }
  return everyOf(predicates);
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
      rejectUnsupported('query', operator);
      throw badValue(`unknown operator: ${operator}`);
  }
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

const logicalOperators = new Set(['$and', '$or', '$nor', '$expr', '$where']);

/** The argument of `$elemMatch` and `$pull`: operators on the element itself, or a filter on its fields. */
export function elementPredicate(argument: BsonValue, variables: Variables): ValuePredicate {
  if (!isDocument(argument)) throw badValue('$elemMatch needs an Object');
  const [first] = argument.keys();
  if (isOperatorDocument(argument) && !logicalOperators.has(first!)) {
    const predicate = compileOperators('element', argument, variables);
    return (value) => value !== undefined && predicate(new Map([['element', value]]));
  }
  const predicate = compileFilter(argument, variables);
  return (value) => {
    if (Array.isArray(value)) return predicate(new Map(value.map((element, index) => [String(index), element])));
    return isDocument(value) && predicate(value);
  };
}

/**
 * The top-level fields that a filter reads; undefined when it can read any. To decide whether a stored document
 * matches, only these fields need decoding.
 */
export function rootFields(filter: BsonDocument): Set<string> | undefined {
  const fields = new Set<string>();
  for (const [name, argument] of filter) {
    if (!name.startsWith('$')) fields.add(name.split('.')[0]!);
    else if (Array.isArray(argument)) {
      for (const clause of argument) {
        const inner = isDocument(clause) ? rootFields(clause) : undefined;
        if (!inner) return undefined;
        inner.forEach((field) => fields.add(field));
      }
    } else if (name !== '$comment') return undefined;
  }
  return fields;
}

/** True for a value that a filter compares for equality, not by pattern or operator. */
export const isPlainOperand = (value: BsonValue): boolean =>
  !(value instanceof BSONRegExp) && !isOperatorDocument(value);
