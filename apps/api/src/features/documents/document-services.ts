import type { recognizePage } from '@docwright/documents';
import type { Connection } from 'mongoose';
import type { Actor } from '../identity/actor.ts';
import { createDocumentRepositories } from './document-repository.ts';
import { createDocumentService, type DocumentService } from './document-service.ts';
import { createFileRepository } from './files/file-repository.ts';
import { createLeftoverRepository } from './removal/leftover-repository.ts';
import { createLostClaimRepository } from './reading/lost-claim-repository.ts';
import { createPageRepositories } from './reading/page-repository.ts';
import { createReadingWatch, type ReadingWatch } from './reading/reading-watch-service.ts';
import { createRecognitionQueueRepository } from './reading/recognition-queue-repository.ts';
import { createRecognitionService, type RecognitionService } from './reading/recognition-service.ts';
import { createSweepingService, type SweepingService } from './removal/sweeping-service.ts';
import type { TextClaim } from './reading/document-claim-repository.ts';
import { createTextQueueRepository } from './reading/text-queue-repository.ts';
import { createTextReadingService, type TextReadingService } from './reading/text-reading-service.ts';
import { createUploadService, type UploadService } from './files/upload-service.ts';

export interface DocumentAreaDependencies {
  connection: Connection;
  maxUploadBytes: number;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** What else belongs to a document and goes with it. */
  onDelete: ((organizationId: string, documentId: string) => Promise<void>)[];
  wakeTextReader: () => Promise<void>;
  /** Called whenever the text of a document has become ready. */
  onTextRead: (documentId: string) => Promise<void>;
  autoCreateDefault: (organizationId: string) => Promise<boolean>;
  wakeRecognition: () => Promise<void>;
  recognize: typeof recognizePage;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface DocumentServices {
  documents: (actor: Actor) => DocumentService;
  uploads: UploadService;
  textReading: TextReadingService;
  recognition: RecognitionService;
  readingWatch: ReadingWatch;
  sweeping: SweepingService;
}

export function createDocumentServices(dependencies: DocumentAreaDependencies): DocumentServices {
  const { connection, maxUploadBytes, checkTags, onDelete, wakeTextReader, autoCreateDefault, wakeRecognition, log } =
    dependencies;
  const files = createFileRepository(connection);
  const documentsOf = createDocumentRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const queue = tellingWhenRead(createTextQueueRepository(connection), dependencies);
  return {
    documents: createDocumentService({ documentsOf, pagesOf, files, checkTags, onDelete }),
    uploads: createUploadService({ documentsOf, files, maxUploadBytes, checkTags, autoCreateDefault, wakeTextReader }),
    textReading: createTextReadingService({ queue, files, pagesOf, wakeRecognition, log }),
    recognition: createRecognitionService({
      queue: tellingWhenRead(createRecognitionQueueRepository(connection), dependencies),
      files,
      pagesOf,
      recognize: dependencies.recognize,
      log,
    }),
    readingWatch: createReadingWatch({
      lost: createLostClaimRepository(connection),
      wake: async () => {
        await wakeTextReader();
        await wakeRecognition();
      },
    }),
    sweeping: createSweepingService({
      leftovers: createLeftoverRepository(connection),
      pagesOf,
      files,
      onDelete,
      log,
    }),
  };
}

/** What begins with a document's text does not spoil the reading: it is made up for later. */
function tellingWhenRead<Queue extends { complete(claim: TextClaim, pageCount: number): Promise<boolean> }>(
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
