export { checkPipeline } from './check-pipeline.ts';
export { defaultLanguage } from './chunk-languages.ts';
export { createDryRunService } from './dry-run-service.ts';
export type { DryRunService } from './dry-run-service.ts';
export { StageError, hasPlaces, processDocument } from './process-document.ts';
export type { ProcessedDocument, Processing } from './process-document.ts';
