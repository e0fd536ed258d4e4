export { createResultDocuments } from './result-documents-repository.ts';
export { createIndexCopies } from './index-copies.ts';
export type { IndexUpdates } from './index-updates.ts';
export type { ResultIndexRecord } from './result-index-model.ts';
export type { ResultIndexRepository } from './result-index-repository.ts';
export type { SavedViews } from './saved-views/saved-view-repository.ts';
export type { ResultDocuments, ResultService } from './result-service.ts';
