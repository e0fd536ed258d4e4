import type { OperatorTable } from './operator.ts';

export const typeOperators: OperatorTable = [];
