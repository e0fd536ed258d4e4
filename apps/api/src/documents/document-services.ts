import type { Connection } from 'mongoose';
import type { Actor } from '../identity/actor.ts';
import { createDocumentRepositories } from './document-repository.ts';
import { createDocumentService, type DocumentService } from './document-service.ts';
import { createFileRepository } from './file-repository.ts';
import { createLeftoverRepository } from './leftover-repository.ts';
import { createPageRepositories } from './page-repository.ts';
import { createRecognitionQueueRepository } from './recognition-queue-repository.ts';
import { createRecognitionService, type RecognitionService } from './recognition-service.ts';
import { createSweepingService, type SweepingService } from './sweeping-service.ts';
import { createTextQueueRepository } from './text-queue-repository.ts';
import { createTextReadingService, type TextReadingService } from './text-reading-service.ts';
import { createUploadService, type UploadService } from './upload-service.ts';

export interface DocumentAreaDependencies {
  connection: Connection;
  maxUploadBytes: number;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** What else belongs to a document and goes with it. */
  onDelete: ((organizationId: string, documentId: string) => Promise<void>)[];
  wakeTextReader: () => Promise<void>;
  wakeRecognition: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface DocumentServices {
  documents: (actor: Actor) => DocumentService;
  uploads: UploadService;
  textReading: TextReadingService;
  recognition: RecognitionService;
  sweeping: SweepingService;
}

export function createDocumentServices(dependencies: DocumentAreaDependencies): DocumentServices {
  const { connection, maxUploadBytes, checkTags, onDelete, wakeTextReader, wakeRecognition, log } = dependencies;
  const files = createFileRepository(connection);
  const documentsOf = createDocumentRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const queue = createTextQueueRepository(connection);
  return {
    documents: createDocumentService({ documentsOf, pagesOf, files, checkTags, onDelete }),
    uploads: createUploadService({ documentsOf, files, maxUploadBytes, checkTags, wakeTextReader }),
    textReading: createTextReadingService({ queue, files, pagesOf, wakeRecognition, log }),
    recognition: createRecognitionService({
      queue: createRecognitionQueueRepository(connection),
      files,
      pagesOf,
      log,
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
