export type { ChosenDocument } from './chosen-documents.ts';
export { DocumentFilterFields } from './document-filter-fields.tsx';
export { MatchCount, matchingCount, matchingErrors, useMatching } from './match-count.tsx';
export { runColumnsOfSchedule } from './run-columns.tsx';
