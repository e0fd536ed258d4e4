export type { ChosenDocument } from './chosen-documents.ts';
export { ChosenList, chosenLabel } from './chosen-list.tsx';
export { DocumentFilterFields } from './document-filter-fields.tsx';
export { MatchCount, matchingErrors, useMatching } from './match-count.tsx';
export { runColumnsOfSchedule } from './run-columns.tsx';
