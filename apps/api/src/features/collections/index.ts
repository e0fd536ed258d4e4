export { entryModel } from './collection-model.ts';
export type { CollectionService } from './collection-service.ts';
export type { createPipelineServices } from './pipeline-services.ts';
