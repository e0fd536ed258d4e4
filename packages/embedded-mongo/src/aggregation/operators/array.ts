import type { OperatorTable } from './operator.ts';

export const arrayOperators: OperatorTable = [];
