import { recognizePage } from '@docwright/documents';
import type { Document } from '@docwright/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { IdentityServices, Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createTagRepositories, createTagCheck } from '../tags/index.ts';
import { documentEventsRoutes } from './document-events-routes.ts';
import { createDocumentRepositories } from './document-repository.ts';
import { documentRoutes } from './document-routes.ts';
import type { ReadIncompleteResults } from './document-service.ts';
import { createDocumentServices, type DocumentServices } from './document-services.ts';
import { documentFileRoutes } from './files/document-file-routes.ts';
import { uploadRoutes } from './files/upload-routes.ts';
import { measureRecognition } from './reading/measured-recognition.ts';
import { createReadTextsJob, readTextsJobName } from './reading/read-texts-job.ts';
import { createRecognizePagesJob, recognizePagesJobName } from './reading/recognize-pages-job.ts';
import { createWatchReadersJob } from './reading/watch-readers-job.ts';
import { createSweepDocumentsJob } from './removal/sweep-documents-job.ts';
import { splitRoutes } from './splitting/split-routes.ts';
import { trashRoutes } from './removal/trash-routes.ts';

interface DocumentNeeds {
  connection: Connection;
  settings: Pick<Settings, 'maxUploadBytes' | 'ocr'>;
  identity: Pick<IdentityServices, 'autoCreateSettings'>;
  jobs: Pick<JobQueue, 'wake'>;
  metrics: Metrics;
  logger: FastifyBaseLogger;
}

/** Where later features say what they do when something happens to a document. All are called in the order they came. */
export interface DocumentHooks {
  /** Removes what else belongs to a document that is removed for good. */
  onRemove(remove: (organizationId: string, documentId: string) => Promise<void>): void;
  /** Ends work on documents that are in the trash now. */
  onTrash(stop: (organizationId: string, documentIds: readonly string[]) => Promise<void>): void;
  /** Called whenever the text of a document has become ready. */
  onTextRead(start: (documentId: string) => Promise<void>): void;
  /** Says which documents of a list have incomplete results. One feature knows. */
  tellIncompleteResults(read: ReadIncompleteResults): void;
}

/** Documents: their files, the reading of their texts, and their removal. */
export const documentsFeature = defineFeature({
  create({ connection, settings, identity, jobs, metrics, logger }: DocumentNeeds) {
    const tagsOf = createTagRepositories(connection);
    const removing: Parameters<DocumentHooks['onRemove']>[0][] = [];
    const stopping: Parameters<DocumentHooks['onTrash']>[0][] = [];
    const starting: Parameters<DocumentHooks['onTextRead']>[0][] = [];
    let incompleteResults: ReadIncompleteResults = async () => new Map();
    const documentHooks: DocumentHooks = {
      onRemove: (remove) => void removing.push(remove),
      onTrash: (stop) => void stopping.push(stop),
      onTextRead: (start) => void starting.push(start),
      tellIncompleteResults: (read) => void (incompleteResults = read),
    };
    const documentServices = createDocumentServices({
      connection,
      maxUploadBytes: settings.maxUploadBytes,
      checkTags: createTagCheck(tagsOf),
      missingTags: (organizationId, tagIds) => tagsOf(organizationId).missing(tagIds),
      async stopWork(organizationId, documentIds) {
        for (const stop of stopping) await stop(organizationId, documentIds);
      },
      incompleteResults: (organizationId, documentIds) => incompleteResults(organizationId, documentIds),
      onDelete: removing,
      wakeTextReader: () => jobs.wake(readTextsJobName),
      wakeRecognition: () => jobs.wake(recognizePagesJobName),
      recognize: measureRecognition(async (input) => await recognizePage({ ...settings.ocr, ...input }), metrics),
      async onTextRead(documentId) {
        for (const start of starting) await start(documentId);
      },
      autoCreateSettings: identity.autoCreateSettings,
      log: logger,
    });
    const documentsOf = createDocumentRepositories(connection);
    /** What prompts and tags ask of documents. */
    const documentTags = {
      /** Undefined when the organization has no such document. */
      of: async (organizationId: string, documentId: string) =>
        (await documentsOf(organizationId).get(documentId))?.tag_ids,
      countWith: (organizationId: string, tagId: string) => documentsOf(organizationId).countWithTag(tagId),
    };
    return { documentServices, documentTags, documentHooks };
  },
  jobs: ({ documentServices: { textReading, recognition, readingWatch, sweeping } }) => [
    createReadTextsJob(textReading),
    createRecognizePagesJob(recognition),
    createWatchReadersJob(readingWatch),
    createSweepDocumentsJob(sweeping),
  ],
});

interface DocumentRouteNeeds {
  settings: Pick<Settings, 'maxUploadBytes'>;
  streams: StreamAdmission;
  /** Whose writes stand in the audit log. */
  documents: DocumentServices;
  extractions: (actor: Actor) => { changeCount(documentId: string): Promise<number> };
  autoCreate: (actor: Actor) => { withLog(document: Document): Promise<Document> };
  /** Milliseconds after which a download that nobody reads ends. */
  downloadStallMs?: number;
}

/** The routes of documents, which show what later features know of them. */
export const documentRoutesFeature = defineFeature({
  create: (_needs: DocumentRouteNeeds) => ({}),
  async routes(app, { settings, streams, documents: services, extractions, autoCreate, downloadStallMs }) {
    await app.register(documentRoutes, {
      services,
      withLog: (actor, document) => autoCreate(actor).withLog(document),
    });
    await app.register(trashRoutes, { services });
    await app.register(splitRoutes, { services });
    await app.register(documentFileRoutes, {
      services,
      streams,
      ...(downloadStallMs !== undefined && { downloadStallMs }),
    });
    await app.register(documentEventsRoutes, {
      services,
      extractionChanges: (actor, documentId) => extractions(actor).changeCount(documentId),
      streams,
    });
    await app.register(uploadRoutes, { services, maxUploadBytes: settings.maxUploadBytes });
  },
});
