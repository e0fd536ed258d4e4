export { entryModel } from './collection-model.ts';
export type { CollectionService } from './collection-service.ts';
export { fuseRanks } from './fuse-ranks.ts';
export type { createPipelineServices } from './pipeline-services.ts';
export type { FindSimilar } from './search-service.ts';
