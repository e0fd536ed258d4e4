export { checkClaims, maxChecked, type AnswerToCheck } from './check-claims.ts';
export type {
  AggregateEvidence,
  CalculationEvidence,
  CellEvidence,
  Evidence,
  ScopeDocument,
  PassageEvidence,
  QueryCondition,
} from './evidence.ts';
export { citedIds, splitSentences, type Span } from './split-sentences.ts';
