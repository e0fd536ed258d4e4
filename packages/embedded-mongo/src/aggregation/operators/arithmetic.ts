import type { OperatorTable } from './operator.ts';

export const arithmeticOperators: OperatorTable = [];
