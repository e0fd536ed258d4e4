export { createSourceRepositories } from './source-repository.ts';
export type { SourceRepository, StoredSource } from './source-repository.ts';
export { requireNotTooLarge, requireUsableCount, sourceOrThrow } from './source-service.ts';
export type { SourceService } from './source-service.ts';
