import type { OperatorTable } from './operator.ts';

export const dateOperators: OperatorTable = [];
