export type { ExamplesFor } from './example-service.ts';
export { extractDocument, canHaveRows } from './extract-document.ts';
export { extractionModel, withoutTexts } from './records/extraction-model.ts';
export type { ExtractionRecord } from './records/extraction-model.ts';
export { createExtractionRepositories } from './records/extraction-repository.ts';
export type { ExtractionRepository } from './records/extraction-repository.ts';
export type { ExtractionService } from './extraction-service.ts';
export type { ExtractionServices } from './extraction-services.ts';
export { createExtractionUndo } from './records/extraction-undo-repository.ts';
export { factsOf, presentExtraction } from './records/extraction-version-repository.ts';
export { versionConflict } from './rules/extraction-errors.ts';
export {
  blocksOf,
  isBlocked,
  released,
  releaseAsRead,
  releaseReason,
  returnedResult,
  withdrawal,
} from './records/release-record.ts';
export { createOutsideBlocks, type OutsideBlocks } from './records/outside-block-repository.ts';
export type { ReleaseChange } from './records/release-record.ts';
export { dayOf, releaseEventModel, type ReleaseEventRecord } from './records/release-event-model.ts';
export { indexMark, removedResultModel } from './records/index-mark-model.ts';
export { extractionVersionModel } from './records/extraction-model.ts';
export { jsonOfStored, parseStored, storedJson } from './records/compressed-json.ts';
export { estimateOf, requireText, surveyDocument } from './long/survey-document.ts';
export { createIncompleteResults, createMatchingDocumentRepositories } from './records/matching-document-repository.ts';
export type { MatchingDocumentRepository } from './records/matching-document-repository.ts';
export { formatValidator } from './rules/result-rules.ts';
export { createResultSweeps, type ResultSweeps } from './records/result-sweep-repository.ts';
export { createVerifiedResultRepositories } from './records/verified-result-repository.ts';
export type { TruthReference, VerifiedResult, VerifiedResultRepository } from './records/verified-result-repository.ts';
export type { ExtractionRuns } from './long/extraction-runs.ts';
export { valueDoubts } from './asking/value-doubts.ts';
