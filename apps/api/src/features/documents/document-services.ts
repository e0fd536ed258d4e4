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
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** The ids that are no tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  /** Ends the work that nobody watches on documents that are in the trash now. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  incompleteResults: ReadIncompleteResults;
  /** What else belongs to a document and is removed with it. */
  onDelete: ((organizationId: string, documentId: string) => Promise<void>)[];
  wakeTextReader: () => Promise<void>;
  /** Called whenever the text of a document has become ready. */
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
  /** The ids that are no tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  /** Ends the work that nobody watches on documents that are in the trash now. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
  /** For documents that are back: their text may have to be read still. */
  onRestore: () => Promise<void>;
}

export function createDocumentServices(dependencies: DocumentAreaDependencies): DocumentServices {
  const { connection, maxUploadBytes, checkTags, onDelete, wakeTextReader, autoCreateSettings, wakeRecognition, log } =
    dependencies;
  const { missingTags, stopWork } = dependencies;
  const files = createFileRepository(connection);
  const documentsOf = createDocumentRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const leftovers = createLeftoverRepository(connection);
  const purge = createPurge({ leftovers, pagesOf, files, onDelete });
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

/** What begins with a document's text does not spoil the reading: it is made up for later. */
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
          log.error({ err: error, document_id: claim.documentId }, 'what begins with the text could not begin');
        });
      }
      return isCompleted;
    },
  };
}

interface TrashServiceDependencies {
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Called with each document that is back: its text may have to be read still. */
  onRestore: () => Promise<void>;
}

/** The deleted documents of the caller's organization. What is not in the trash is `document_not_found`. */
interface TrashService {
  list(
    query: TrashListQuery,
  ): Promise<{ documents: TrashedDocument[]; total_count: number; skip: number; limit: number }>;
  restore(id: string): Promise<Document>;
  /** Removes the document for good, with all that belongs to it. */
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
        const document = inTrash(await trash.restore(id));
        await onRestore();
        return document;
      },
      async purge(id) {
        requireWriter(actor);
        await purge(inTrash(await trash.takeForPurge(id)));
      },
    };
  };
}

function inTrash<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'document_not_found', 'There is no such document in the trash.');
}
