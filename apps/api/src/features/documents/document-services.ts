import type { UnreadPart } from '@docwright/contract';
import { drawPage, extractPages, type recognizePage } from '@docwright/documents';
import type { Connection } from 'mongoose';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import { fileOwner, storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import type { AuditWrites } from '../audit/index.ts';
import type { UploadSettings } from '../identity/index.ts';
import { createVersionRepositories } from './records/version-repository.ts';
import { createAttachmentRepositories } from './attachments/attachment-repository.ts';
import { createAttachmentService } from './attachments/attachment-service.ts';
import { createDocumentRepositories } from './records/document-repository.ts';
import { createWaitingCalls } from './records/waiting-call-repository.ts';
import { createDuplicateRepositories } from './records/duplicate-repository.ts';
import { createDocumentService, type ReadDocumentResults, type ReadIncompleteResults } from './document-service.ts';
import { createStoredBytesCheck } from './files/counted-files-repository.ts';
import type { FileRepository } from './files/file-repository.ts';
import { createLeftoverRepository } from './removal/leftover-repository.ts';
import { createDocumentClaims, type TextClaim } from './reading/document-claim-repository.ts';
import { createPageImages } from './reading/page-image-service.ts';
import { createPageRepositories } from './reading/page-repository.ts';
import { createRecognitionQueueRepository } from './reading/recognition-queue-repository.ts';
import { createRecognitionService } from './reading/recognition-service.ts';
import { createPurge } from './removal/purge.ts';
import { createTrashRepositories } from './removal/trash-repository.ts';
import { createTrashService } from './removal/trash-service.ts';
import { createSweepingService } from './removal/sweeping-service.ts';
import { createStageCheck } from './records/kept-stage-repository.ts';
import { createTextQueueRepository } from './reading/text-queue-repository.ts';
import { createTextReadingService } from './reading/text-reading-service.ts';
import { createEndWaitingForSplit } from './splitting/waiting-split-repository.ts';
import { createSplitService } from './splitting/split-service.ts';
import { createUploadService } from './files/upload-service.ts';

interface DocumentAreaDependencies {
  connection: Connection;
  auditWrites: AuditWrites;
  files: FileRepository;
  maxUploadBytes: number;
  storageLimit: StorageLimit;
  maxAttachments: number;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  /** Ends unattended work on documents that were moved to the trash. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  incompleteResults: ReadIncompleteResults;
  results: ReadDocumentResults;
  /** Remove the records of other features when a document is removed for good. */
  onRemove: ((organizationId: string, documentId: string) => Promise<void>)[];
  wakeTextReader: () => Promise<void>;
  /** Called when the text of a document is ready. */
  onTextRead: (documentId: string) => Promise<void>;
  uploadSettings: (organizationId: string) => Promise<UploadSettings>;
  wakeRecognition: () => Promise<void>;
  wakeLongReading: () => Promise<void>;
  recognize: typeof recognizePage;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export type DocumentServices = ReturnType<typeof createDocumentServices>;

export function createDocumentServices(dependencies: DocumentAreaDependencies) {
  const { connection, maxUploadBytes, checkTags, onRemove, wakeTextReader, uploadSettings, wakeRecognition, log } =
    dependencies;
  const { auditWrites, files, storageLimit, missingTags, wakeLongReading, maxAttachments } = dependencies;
  const documentsOf = createDocumentRepositories(connection);
  const duplicatesOf = createDuplicateRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const leftovers = createLeftoverRepository(connection);
  const releaseDuplicates = async (organizationId: string, documentId: string) => {
    if (await duplicatesOf(organizationId).release(documentId)) await wakeTextReader();
  };
  const attachmentsOf = createAttachmentRepositories(connection);
  const versionsOf = createVersionRepositories(connection);
  const waitingCalls = createWaitingCalls(connection);
  const trashOf = createTrashRepositories(connection, { missingTags });
  const takeAttached = (organizationId: string, documentId: string) => trashOf(organizationId).takeAttached(documentId);
  const purge = createPurge({
    leftovers,
    pagesOf,
    files,
    storedBytes: storedBytesOf(connection),
    onRemove,
    releaseDuplicates,
    takeAttached,
  });
  /** What is inside of documents follows them into the trash and out of it. */
  const stopWork = async (organizationId: string, documentIds: readonly string[]) => {
    await versionsOf(organizationId).trash(documentIds);
    const attached = await attachmentsOf(organizationId).trash(documentIds);
    await dependencies.stopWork(organizationId, [...documentIds, ...attached]);
  };
  const onRestore = async (organizationId: string) => {
    await versionsOf(organizationId).restore();
    await attachmentsOf(organizationId).restore();
    await wakeTextReader();
  };
  const claims = createDocumentClaims(connection);
  const queue = publishingWhenRead(createTextQueueRepository(connection), dependencies);
  return {
    documents: createDocumentService({
      countFile: (organizationId, documentId, bytes) =>
        storedBytesOf(connection).add(organizationId, fileOwner(documentId), bytes),
      auditWrites,
      documentsOf,
      duplicatesOf,
      wakeTextReader,
      queue,
      pagesOf,
      files,
      imagesOf: createPageImages({ files, pagesOf, draw: drawPage }),
      checkTags,
      incompleteResults: dependencies.incompleteResults,
      results: dependencies.results,
      waitingCalls,
      trashedByCall: (organizationId, id) => trashOf(organizationId).byCall(id),
      stopWork,
    }),
    /** The calls that wait for a decision of the caller, by document. */
    waitingCalls,
    uploads: createUploadService({
      auditWrites,
      documentsOf,
      duplicatesOf,
      files,
      maxUploadBytes,
      storageLimit,
      checkTags,
      uploadSettings,
      wakeTextReader,
    }),
    splitting: createSplitService({
      auditWrites,
      documentsOf,
      pagesOf,
      files,
      storageLimit,
      checkTags,
      extract: extractPages,
      endWaiting: createEndWaitingForSplit(connection),
    }),
    textReading: createTextReadingService({
      queue,
      files,
      pagesOf,
      attachments: createAttachmentService({
        attachmentsOf,
        duplicatesOf,
        files,
        uploadSettings,
        maxAttachments,
        maxUploadBytes,
        storageLimit,
      }),
      wakeLongReading,
      wakeRecognition,
      log,
    }),
    recognition: createRecognitionService({
      queue: publishingWhenRead(createRecognitionQueueRepository(connection), dependencies),
      files,
      pagesOf,
      recognize: dependencies.recognize,
      log,
    }),
    /** Requeues documents whose reader has died and wakes the readers. Several processes can do so concurrently. */
    requeueOrphans: async () => {
      if ((await claims.requeueOrphans()) === 0) return;
      await wakeTextReader();
      await wakeLongReading();
      await wakeRecognition();
    },
    checkStages: createStageCheck(connection),
    checkStoredBytes: createStoredBytesCheck(connection, log),
    sweeping: createSweepingService({ leftovers, files, pagesOf, purge, log }),
    trash: createTrashService({ auditWrites, trashOf, purge, keepsRemoved: () => files.keepsRemoved(), onRestore }),
    trashOf,
    purge,
    /** Returns the ids that are not tags of the organization. */
    missingTags,
    /** Ends unattended work on documents that were moved to the trash. */
    stopWork,
    /** Called after documents were restored: what was inside of them follows, and their text might not have been read yet. */
    onRestore,
  };
}

/** Calls `onTextRead` after a reading. If that fails the reading still counts: the listener polls for missed documents. */
function publishingWhenRead<
  Queue extends { complete(claim: TextClaim, unread: UnreadPart[], pageCount: number): Promise<boolean> },
>(queue: Queue, { onTextRead, log }: Pick<DocumentAreaDependencies, 'onTextRead' | 'log'>): Queue {
  return {
    ...queue,
    async complete(claim: TextClaim, unread: UnreadPart[], pageCount: number) {
      const isCompleted = await queue.complete(claim, unread, pageCount);
      if (isCompleted) {
        await onTextRead(claim.documentId).catch((error: unknown) => {
          log.error({ err: error, document_id: claim.documentId }, 'the listener of a read text failed');
        });
      }
      return isCompleted;
    },
  };
}
