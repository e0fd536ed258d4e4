export { createTagCheck, createTagRepositories } from './tag-repository.ts';
export type { TagRepository } from './tag-repository.ts';
export type { TagService } from './tag-service.ts';
export { createTagUndo } from './tag-undo-repository.ts';
