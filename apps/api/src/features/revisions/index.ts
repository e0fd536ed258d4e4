export { createEndReview, createReopenReview } from './review-repository.ts';
export type { ChangeReview } from './review-repository.ts';
export { revisionModels } from './revision-model.ts';
export type { RevisionedKind } from './revision-model.ts';
export type { ReviewFilter } from './revision-query.ts';
export { createRevisionRepositories } from './revision-repository.ts';
export { createRevisionUndo } from './revision-undo-repository.ts';
export type { Revision, RevisionRepository } from './revision.ts';
