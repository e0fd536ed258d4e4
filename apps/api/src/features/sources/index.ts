export { createSourceRepositories } from './source-repository.ts';
export type { SourceRepository, StoredSource } from './source-repository.ts';
export { sourceRoutes } from './source-routes.ts';
export { createSourceService, requireNotTooLarge, requireUsableCount, sourceOrThrow } from './source-service.ts';
export type { SourceService } from './source-service.ts';
