import { BSONRegExp } from 'bson';
import { badValue, failedToParse, typeMismatch } from '../errors/mongo-error.ts';
import { noVariables } from '../expression/scope.ts';
import { equals } from '../query/field-predicates.ts';
import { elementPredicate } from '../query/filter.ts';
import type { ValuePredicate } from '../query/predicate.ts';
import { documentSorter } from '../query/sort.ts';
import { compareValues, equalValues } from '../values/compare.ts';
import { toNumber } from '../values/number.ts';
import { copyValue, valueAt } from '../values/path.ts';
import { show } from '../values/show.ts';
import { isDocument, isNumber, typeName, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { FieldUpdate } from './field-operators.ts';
import { setAt } from './paths.ts';

const pushClauses = ['$each', '$slice', '$sort', '$position'];

const push: FieldUpdate = (document, path, argument) => {
  const clauses = isDocument(argument) && argument.has('$each') ? argument : undefined;
  const unknown = clauses && [...clauses.keys()].find((name) => !pushClauses.includes(name));
  if (unknown !== undefined) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  const added = clauses ? eachOf(clauses, '$push') : [argument];
  const current = arrayAt(document, path, () => notAnArray(document, path));
  const before = current ?? [];
  const at = insertionPoint(clauses?.get('$position'), before.length);
  const elements = [...before.slice(0, at), ...added.map(copyValue), ...before.slice(at)];
  const sort = clauses?.get('$sort');
  if (sort !== undefined) elements.sort(elementOrder(sort));
  setAt(document, path, sliced(elements, clauses?.get('$slice')));
};

function eachOf(clauses: BsonDocument, operator: string): BsonValue[] {
  const each = clauses.get('$each');
  if (Array.isArray(each)) return each;
  const message = `The argument to $each in ${operator} must be an array but it was of type: ${typeName(each)}`;
  throw operator === '$push' ? badValue(message) : typeMismatch(message);
}

function insertionPoint(position: BsonValue | undefined, length: number): number {
  if (position === undefined) return length;
  const at = wholeNumber(position, '$position');
  return at < 0 ? Math.max(0, length + at) : Math.min(at, length);
}

function sliced(elements: BsonValue[], slice: BsonValue | undefined): BsonValue[] {
  if (slice === undefined) return elements;
  const count = wholeNumber(slice, '$slice');
  return count >= 0 ? elements.slice(0, count) : elements.slice(count);
}

function wholeNumber(value: BsonValue, clause: string): number {
  if (isNumber(value) && Number.isInteger(toNumber(value))) return toNumber(value);
  throw badValue(`The value for ${clause} must be an integer value but was given type: ${typeName(value)}`);
}

function elementOrder(sort: BsonValue): (a: BsonValue, b: BsonValue) => number {
  if (isNumber(sort)) {
    const direction = toNumber(sort);
    if (Math.abs(direction) !== 1) throw badValue('The $sort element value must be either 1 or -1');
    return (a, b) => compareValues(a, b) * direction;
  }
  if (!isDocument(sort)) {
    throw badValue('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields');
  }
  const compare = documentSorter(sort);
  const asDocument = (value: BsonValue): BsonDocument => (isDocument(value) ? value : new Map());
  return (a, b) => compare(asDocument(a), asDocument(b));
}

const addToSet: FieldUpdate = (document, path, argument) => {
  const each = isDocument(argument) && argument.has('$each') ? argument : undefined;
  if (each && each.size > 1) throw badValue('Found unexpected fields after $each in $addToSet');
  const current = arrayAt(document, path, () =>
    badValue(
      `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeName(valueAt(document, path))}`,
    ),
  );
  const elements = [...(current ?? [])];
  for (const value of each ? eachOf(each, '$addToSet') : [argument]) {
    if (!elements.some((element) => equalValues(element, value))) elements.push(copyValue(value));
  }
  setAt(document, path, elements);
};

const pop: FieldUpdate = (document, path, argument) => {
  const end = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (Math.abs(end) !== 1) throw failedToParse(`$pop expects 1 or -1, found: ${show(argument)}`);
  const current = arrayAt(document, path, () =>
    typeMismatch(`Path '${path}' contains an element of non-array type '${typeName(valueAt(document, path))}'`),
  );
  if (current) setAt(document, path, end === 1 ? current.slice(0, -1) : current.slice(1));
};

const pullAll: FieldUpdate = (document, path, argument) => {
  if (!Array.isArray(argument)) {
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(argument)}`);
  }
  removeWhere(document, path, (element) => argument.some((value) => equalValues(element, value)));
};

const pull: FieldUpdate = (document, path, argument) => removeWhere(document, path, pullPredicate(argument));

function pullPredicate(argument: BsonValue): ValuePredicate {
  if (isDocument(argument)) return elementPredicate(argument, noVariables);
  if (!(argument instanceof BSONRegExp)) return (element) => equalValues(element, argument);
  const matches = equals('element', argument);
  return (element) => element !== undefined && matches(new Map([['element', element]]));
}

function removeWhere(document: BsonDocument, path: string, removed: ValuePredicate): void {
  const current = arrayAt(document, path, () => badValue('Cannot apply $pull to a non-array value'));
  if (current) {
    setAt(
      document,
      path,
      current.filter((element) => !removed(element)),
    );
  }
}

function arrayAt(document: BsonDocument, path: string, error: () => Error): BsonValue[] | undefined {
  const current = valueAt(document, path);
  if (current === undefined || Array.isArray(current)) return current;
  throw error();
}

const notAnArray = (document: BsonDocument, path: string): Error =>
  badValue(
    `The field '${path}' must be an array but is of type ${typeName(valueAt(document, path))} in document {_id: ${show(document.get('_id'))}}`,
  );

export const arrayUpdateOperators: [string, FieldUpdate][] = [
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pop', pop],
  ['$pullAll', pullAll],
  ['$pull', pull],
];
