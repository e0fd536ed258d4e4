import type { OperatorTable } from './operator.ts';

export const stringOperators: OperatorTable = [];
