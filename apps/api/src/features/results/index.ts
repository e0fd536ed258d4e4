export { operators, parseWhere, testOf } from './where.ts';
export type { Cell, Condition, Operator } from './where.ts';
export type { ResultService } from './result-service.ts';
