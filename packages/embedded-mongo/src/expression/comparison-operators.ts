import { compareValues } from '../values/compare.ts';
import { isTruthy, typeOrder, type BsonValue } from '../values/value.ts';
import { onArguments, onOne, onTwo, type OperatorTable } from './operator.ts';

/** Here, unlike in a query, a missing value sorts before null. */
function compare(a: BsonValue | undefined, b: BsonValue | undefined): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    const present = a ?? b;
    const before = present === undefined || present === null || typeOrder(present) > 1 ? -1 : 1;
    return a === undefined ? before : -before;
  }
  return compareValues(a, b);
}

const comparison = (holds: (order: number) => boolean) => onTwo((a, b) => holds(compare(a, b)));

export const comparisonOperators: OperatorTable = [
  ['$cmp', onTwo((a, b) => compare(a, b))],
  ['$eq', comparison((order) => order === 0)],
  ['$ne', comparison((order) => order !== 0)],
  ['$gt', comparison((order) => order > 0)],
  ['$gte', comparison((order) => order >= 0)],
  ['$lt', comparison((order) => order < 0)],
  ['$lte', comparison((order) => order <= 0)],
  ['$and', onArguments(0, Infinity, (values) => values.every(isTruthy))],
  ['$or', onArguments(0, Infinity, (values) => values.some(isTruthy))],
  ['$not', onOne((value) => !isTruthy(value))],
];
