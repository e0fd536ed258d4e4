import { BSONRegExp } from 'bson';
import { compileExpression } from '../expression/expression.ts';
import {
  isDocument,
  isOperatorDocument,
  isReferenceField,
  isTruthy,
  type BsonDocument,
  type BsonValue,
} from '../bson/value.ts';
import { badValue, indexNotFound } from '../errors.ts';
import { refuseUnsupported } from '../unsupported.ts';
import { compileOperators, equals } from './field-operators.ts';
import { everyOf, noneOf, type Predicate } from './predicate.ts';

/** The values of `$$name` in expressions: the `let` of a command, and the variables of stages. */
export type Variables = ReadonlyMap<string, BsonValue>;
export const noVariables: Variables = new Map();

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
      return everyOf(clauses(argument, variables));
    case '$or':
      return anyOf(clauses(argument, variables));
    case '$nor':
      return noneOf(anyOf(clauses(argument, variables)));
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
      refuseUnsupported('query', name);
      throw badValue(
        `unknown top level operator: ${name}. If you are trying to negate an entire expression, use $nor.`,
      );
  }
}

function anyOf(predicates: Predicate[]): Predicate {
  return (document, positions) => predicates.some((predicate) => predicate(document, positions));
}

function clauses(argument: BsonValue, variables: Variables): Predicate[] {
  if (!Array.isArray(argument)) throw badValue('$and/$or/$nor must be an array');
  if (argument.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  return argument.map((clause) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileFilter(clause, variables);
  });
}

/**
 * The top-level fields that a filter reads, or undefined when it can read any. Only these need decoding to decide
 * whether a stored document matches.
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
