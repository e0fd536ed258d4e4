import { drawPage, extractPages, type recognizePage } from '@docwright/documents';
import type { Connection } from 'mongoose';
import { type Actor, requireWriter, type AutoCreateSettings } from '../identity/index.ts';
import { createDocumentRepositories } from './document-repository.ts';
import { createDocumentService, type DocumentService, type ReadIncompleteResults } from './document-service.ts';
import { createFileRepository } from './files/file-repository.ts';
import { createLeftoverRepository } from './removal/leftover-repository.ts';
import { createDocumentClaims } from './reading/document-claim-repository.ts';
import { createPageImages } from './reading/page-image-service.ts';
import { createPageRepositories } from './reading/page-repository.ts';
import { createReadingWatch, type ReadingWatch } from './reading/reading-watch-service.ts';
import { createRecognitionQueueRepository } from './reading/recognition-queue-repository.ts';
import { createRecognitionService, type RecognitionService } from './reading/recognition-service.ts';
import { createPurge, type Purge } from './removal/purge.ts';
import { createTrashRepositories, type TrashRepository } from './removal/trash-repository.ts';
import { createSweepingService, type SweepingService } from './removal/sweeping-service.ts';
import type { TextClaim } from './reading/document-claim-repository.ts';
import { createTextQueueRepository } from './reading/text-queue-repository.ts';
import { createTextReadingService, type TextReadingService } from './reading/text-reading-service.ts';
import { createSplitService, type SplitService } from './splitting/split-service.ts';
import { createUploadService, type UploadService } from './files/upload-service.ts';
import { DomainError, type Document, type TrashedDocument, type TrashListQuery } from '@docwright/contract';

interface DocumentAreaDependencies {
  connection: Connection;
  maxUploadBytes: number;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  /** Ends unattended work on documents that were moved to the trash. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  incompleteResults: ReadIncompleteResults;
  /** Remove the records of other features when a document is removed for good. */
  onRemove: ((organizationId: string, documentId: string) => Promise<void>)[];
  wakeTextReader: () => Promise<void>;
  /** Called when the text of a document is ready. */
  onTextRead: (documentId: string) => Promise<void>;
  autoCreateSettings: (organizationId: string) => Promise<AutoCreateSettings>;
  wakeRecognition: () => Promise<void>;
  recognize: typeof recognizePage;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface DocumentServices {
  documents: (actor: Actor) => DocumentService;
  uploads: UploadService;
  splitting: (actor: Actor) => SplitService;
  textReading: TextReadingService;
  recognition: RecognitionService;
  readingWatch: ReadingWatch;
  sweeping: SweepingService;
  trash: (actor: Actor) => TrashService;
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  /** Ends unattended work on documents that were moved to the trash. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  /** Called after documents were restored: their text might not have been read yet. */
  onRestore: () => Promise<void>;
}

export function createDocumentServices(dependencies: DocumentAreaDependencies): DocumentServices {
  const { connection, maxUploadBytes, checkTags, onRemove, wakeTextReader, autoCreateSettings, wakeRecognition, log } =
    dependencies;
  const { missingTags, stopWork } = dependencies;
  const files = createFileRepository(connection);
  const documentsOf = createDocumentRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const leftovers = createLeftoverRepository(connection);
  const purge = createPurge({ leftovers, pagesOf, files, onRemove });
  const trashOf = createTrashRepositories(connection, { missingTags });
  const queue = publishingWhenRead(createTextQueueRepository(connection), dependencies);
  return {
    documents: createDocumentService({
      documentsOf,
      pagesOf,
      files,
      imagesOf: createPageImages({ files, pagesOf, draw: drawPage }),
      checkTags,
      incompleteResults: dependencies.incompleteResults,
      stopWork,
    }),
    uploads: createUploadService({ documentsOf, files, maxUploadBytes, checkTags, autoCreateSettings, wakeTextReader }),
    splitting: createSplitService({ documentsOf, pagesOf, files, checkTags, extract: extractPages }),
    textReading: createTextReadingService({ queue, files, pagesOf, wakeRecognition, log }),
    recognition: createRecognitionService({
      queue: publishingWhenRead(createRecognitionQueueRepository(connection), dependencies),
      files,
      pagesOf,
      recognize: dependencies.recognize,
      log,
    }),
    readingWatch: createReadingWatch({
      claims: createDocumentClaims(connection),
      wake: async () => {
        await wakeTextReader();
        await wakeRecognition();
      },
    }),
    sweeping: createSweepingService({ leftovers, files, purge, log }),
    trash: createTrashService({ trashOf, purge, onRestore: wakeTextReader }),
    trashOf,
    purge,
    missingTags,
    stopWork,
    onRestore: wakeTextReader,
  };
}

/** Calls `onTextRead` after a reading. If that fails the reading still counts: the listener polls for missed documents. */
function publishingWhenRead<Queue extends { complete(claim: TextClaim, pageCount: number): Promise<boolean> }>(
  queue: Queue,
  { onTextRead, log }: Pick<DocumentAreaDependencies, 'onTextRead' | 'log'>,
): Queue {
  return {
    ...queue,
    async complete(claim: TextClaim, pageCount: number) {
      const isCompleted = await queue.complete(claim, pageCount);
      if (isCompleted) {
        await onTextRead(claim.documentId).catch((error: unknown) => {
          log.error({ err: error, document_id: claim.documentId }, 'the listener of a read text failed');
        });
      }
      return isCompleted;
    },
  };
}

interface TrashServiceDependencies {
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Called after a document was restored: its text might not have been read yet. */
  onRestore: () => Promise<void>;
}

/** The trash of the caller's organization. Throws `document_not_found` for a document that is not in it. */
interface TrashService {
  list(
    query: TrashListQuery,
  ): Promise<{ documents: TrashedDocument[]; total_count: number; skip: number; limit: number }>;
  restore(id: string): Promise<Document>;
  /** Removes the document and everything that belongs to it for good. */
  purge(id: string): Promise<void>;
}

function createTrashService(dependencies: TrashServiceDependencies): (actor: Actor) => TrashService {
  const { trashOf, purge, onRestore } = dependencies;
  return (actor) => {
    const trash = trashOf(actor.organizationId);
    return {
      async list(query) {
        return { ...(await trash.list(query)), skip: query.skip, limit: query.limit };
      },
      async restore(id) {
        requireWriter(actor);
        const document = foundInTrash(await trash.restore(id));
        await onRestore();
        return document;
      },
      async purge(id) {
        requireWriter(actor);
        await purge(foundInTrash(await trash.takeForPurge(id)));
      },
    };
  };
}

function foundInTrash<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'document_not_found', 'There is no such document in the trash.');
}
