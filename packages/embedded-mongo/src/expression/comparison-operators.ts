import { compareValues } from '../values/compare.ts';
import { isTruthy, typeOrder } from '../values/value.ts';
import { binary, onArguments, unary, type OperatorTable } from './operator.ts';
import type { MaybeValue } from './scope.ts';

/** Unlike in a query, a missing value sorts before null. */
function compare(a: MaybeValue, b: MaybeValue): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    const present = a ?? b;
    const before = present === undefined || present === null || typeOrder(present) > 1 ? -1 : 1;
    return a === undefined ? before : -before;
  }
  return compareValues(a, b);
}

const comparison = (holds: (order: number) => boolean) => binary((a, b) => holds(compare(a, b)));

export const comparisonOperators: OperatorTable = [
  ['$cmp', binary((a, b) => compare(a, b))],
  ['$eq', comparison((order) => order === 0)],
  ['$ne', comparison((order) => order !== 0)],
  ['$gt', comparison((order) => order > 0)],
  ['$gte', comparison((order) => order >= 0)],
  ['$lt', comparison((order) => order < 0)],
  ['$lte', comparison((order) => order <= 0)],
  ['$and', onArguments(0, Infinity, (values) => values.every(isTruthy))],
  ['$or', onArguments(0, Infinity, (values) => values.some(isTruthy))],
  ['$not', unary((value) => !isTruthy(value))],
];
