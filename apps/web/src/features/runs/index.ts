export type { ChosenDocument } from './chosen-documents.tsx';
export { ChosenList, chosenLabel } from './chosen-documents.tsx';
export { DocumentFilterFields } from './document-filter-fields.tsx';
export { MatchCount, matchingErrors, useMatching } from './match-count.tsx';
export { runColumnsOfSchedule } from './run-columns.tsx';
