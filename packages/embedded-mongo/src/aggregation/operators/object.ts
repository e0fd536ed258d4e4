import type { OperatorTable } from './operator.ts';

export const objectOperators: OperatorTable = [];
