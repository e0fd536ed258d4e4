export { collectionModel, entryModel } from './collection-model.ts';
export type { CollectionService } from './collection-service.ts';
export type { createPipelineServices } from './pipeline-services.ts';
export { fuseRanks, type FindSimilar } from './search-service.ts';
