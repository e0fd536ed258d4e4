export {
  beingPurged,
  documentModel,
  documentQuery,
  nameHas,
  nameKeyOf,
  outOfTrash,
  readingStates,
} from './records/document-model.ts';
export { duplicateHasNoText, isBeingRead, unreadReason } from './records/unread-document.ts';
export { pageModel } from './records/page-model.ts';
export type { AutoCreateRecord } from './records/auto-create-record.ts';
export type { DocumentRecord } from './records/document-model.ts';
export { presentDocument } from './records/document-presentation.ts';
export { createTagProtection, protectContents } from './records/protection-repository.ts';
export { createDocumentRepositories } from './records/document-repository.ts';
export type { DocumentRepository } from './records/document-repository.ts';
export type { DocumentService, ReadIncompleteResults } from './document-service.ts';
export type { WaitingCalls } from './records/waiting-call-repository.ts';
export type { DocumentServices } from './document-services.ts';
export { createDocumentUndo } from './document-undo-repository.ts';
export type { DocumentHooks } from './feature.ts';
export { createFileRepository } from './files/file-repository.ts';
export { fileTooLarge } from './files/upload-service.ts';
export type { UploadService } from './files/upload-service.ts';
export { createPageRepositories } from './reading/page-repository.ts';
export type { PageRepository, PageText } from './reading/page-repository.ts';
export { interrupted } from './removal/sweeping-service.ts';
export { inTrash } from './removal/trash-repository.ts';
export type { SplitService } from './splitting/split-service.ts';
export { createSplitUndo } from './splitting/split-undo-repository.ts';
