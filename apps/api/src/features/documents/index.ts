export { beingPurged, documentModel, nameHas, nameKeyOf, outOfTrash } from './records/document-model.ts';
export { documentQuery } from './records/document-query-repository.ts';
export { isBeingRead, readingStates, unreadReason } from './records/unread-document.ts';
export { pageModel } from './records/page-model.ts';
export type { AutoCreateRecord, DocumentRecord } from './records/document-model.ts';
export { presentDocument } from './records/document-presentation.ts';
export { createDocumentIds, createIdChanges, type IdChanges } from './records/document-ids-repository.ts';
export { createProtection, protectContents } from './records/protection-repository.ts';
export type { Protection } from './records/protection-repository.ts';
export { createDocumentRepositories } from './records/document-repository.ts';
export type { DocumentRepository } from './records/document-repository.ts';
export type { DocumentService, ReadIncompleteResults } from './document-service.ts';
export { createVersionRepositories } from './records/version-repository.ts';
export {
  createUnlistedDocuments,
  listedDocuments,
  type UnlistedDocuments,
} from './records/unlisted-documents-repository.ts';
export type { WaitingCalls } from './records/waiting-call-repository.ts';
export type { DocumentServices } from './document-services.ts';
export { createDocumentUndo } from './document-undo-repository.ts';
export type { DocumentHooks } from './feature.ts';
export { createFileRepository } from './files/file-repository.ts';
export { createFilesBucket } from './files/s3-file-store.ts';
export type { FileRepository } from './files/file-repository.ts';
export { fileTooLarge } from './files/upload-service.ts';
export type { UploadService } from './files/upload-service.ts';
export { createPageRepositories } from './reading/page-repository.ts';
export type { PageRepository, StoredPageText } from './reading/page-repository.ts';
export { interrupted } from './removal/sweeping-service.ts';
export { inTrash } from './removal/trash-repository.ts';
export type { SplitService } from './splitting/split-service.ts';
export { createSplitUndo } from './splitting/split-undo-repository.ts';
