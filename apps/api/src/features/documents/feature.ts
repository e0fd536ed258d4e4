import { recognitionConcurrency, recognizePage } from '@docwright/documents';
import type { Document } from '@docwright/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import type { AuditWrites } from '../audit/index.ts';
import type { IdentityServices, Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createTagRepositories, createTagCheck } from '../tags/index.ts';
import { documentEventsRoutes } from './document-events-routes.ts';
import { createDocumentRepositories } from './records/document-repository.ts';
import { createProtection } from './records/protection-repository.ts';
import { documentRoutes } from './document-routes.ts';
import type { ReadDocumentResults, ReadIncompleteResults } from './document-service.ts';
import { createDocumentServices, type DocumentServices } from './document-services.ts';
import { documentFileRoutes } from './document-file-routes.ts';
import { uploadRoutes } from './files/upload-routes.ts';
import { createFileRepository } from './files/file-repository.ts';
import { createFilesBucket } from './files/s3-file-store.ts';
import { measureRecognition } from './reading/measured-recognition.ts';
import { splitRoutes } from './splitting/split-routes.ts';
import { trashRoutes } from './removal/trash-routes.ts';

const readTextsJobName = 'read-texts';
const readLongTextsJobName = 'read-long-texts';
const recognizePagesJobName = 'recognize-pages';

interface DocumentNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  storageLimit: StorageLimit;
  settings: Pick<Settings, 'files' | 'maxUploadBytes' | 'maxAttachments' | 'ocr'>;
  identity: Pick<IdentityServices, 'uploadSettings'>;
  jobs: Pick<JobQueue, 'wake'>;
  metrics: Metrics;
  logger: FastifyBaseLogger;
}

/** Hooks for later features. Each hook calls its listeners in the order of their registration. */
export interface DocumentHooks {
  /** A document is removed for good: the listener removes its own records of it. */
  onRemove(remove: (organizationId: string, documentId: string) => Promise<void>): void;
  /** Documents were moved to the trash: the listener stops its work on them. */
  onTrash(stop: (organizationId: string, documentIds: readonly string[]) => Promise<void>): void;
  /** The text of a document is ready. */
  onTextRead(start: (documentId: string) => Promise<void>): void;
  /** Sets the function that finds incomplete results. One feature calls this. */
  provideIncompleteResults(read: ReadIncompleteResults): void;
  /** Sets the function that finds the state of results. One feature calls this. */
  provideResults(read: ReadDocumentResults): void;
}

/** Documents: their files, the reading of their texts, and their removal. */
export const documentsFeature = defineFeature({
  create({ connection, auditWrites, storageLimit, settings, identity, jobs, metrics, logger }: DocumentNeeds) {
    const tagsOf = createTagRepositories(connection);
    const removeListeners: Parameters<DocumentHooks['onRemove']>[0][] = [];
    const trashListeners: Parameters<DocumentHooks['onTrash']>[0][] = [];
    const textListeners: Parameters<DocumentHooks['onTextRead']>[0][] = [];
    let incompleteResults: ReadIncompleteResults = async () => new Map();
    let results: ReadDocumentResults = async () => new Map();
    const documentHooks: DocumentHooks = {
      onRemove: (remove) => void removeListeners.push(remove),
      onTrash: (stop) => void trashListeners.push(stop),
      onTextRead: (start) => void textListeners.push(start),
      provideIncompleteResults: (read) => void (incompleteResults = read),
      provideResults: (read) => void (results = read),
    };
    const bucket = settings.files && createFilesBucket(settings.files, logger);
    const files = createFileRepository(connection, bucket);
    const documents = createDocumentServices({
      connection,
      auditWrites,
      files,
      maxUploadBytes: settings.maxUploadBytes,
      storageLimit,
      maxAttachments: settings.maxAttachments,
      checkTags: createTagCheck(connection),
      missingTags: (organizationId, tagIds) => tagsOf(organizationId).missing(tagIds),
      async stopWork(organizationId, documentIds) {
        for (const stop of trashListeners) await stop(organizationId, documentIds);
      },
      incompleteResults: (organizationId, documentIds) => incompleteResults(organizationId, documentIds),
      results: (organizationId, documentIds) => results(organizationId, documentIds),
      onRemove: removeListeners,
      wakeTextReader: () => jobs.wake(readTextsJobName),
      wakeLongReading: () => jobs.wake(readLongTextsJobName),
      wakeRecognition: () => jobs.wake(recognizePagesJobName),
      recognize: measureRecognition(async (input) => await recognizePage({ ...settings.ocr, ...input }), metrics),
      async onTextRead(documentId) {
        for (const start of textListeners) await start(documentId);
      },
      uploadSettings: identity.uploadSettings,
      log: logger,
    });
    const documentsOf = createDocumentRepositories(connection);
    const protectionOf = createProtection(connection);
    /** The tags of documents, for the features of prompts and tags. */
    const documentTags = {
      /** Undefined if the organization has no such document. */
      of: async (organizationId: string, documentId: string) =>
        (await documentsOf(organizationId).get(documentId))?.tag_ids,
      countWith: (organizationId: string, tagId: string) => documentsOf(organizationId).countWithTag(tagId),
      keepWith: (organizationId: string, tagId: string) => protectionOf(organizationId).protectWith(tagId),
    };
    return { documents, files, documentTags, documentHooks };
  },
  jobs: ({ documents: { textReading, recognition, requeueOrphans, sweeping, checkStoredBytes, checkStages } }) => [
    // A document that takes long leaves the quick lane, so that it does not block the others.
    {
      name: readTextsJobName,
      everyMs: 15_000,
      quietEveryMs: 60_000,
      concurrency: 2,
      run: (signal) => textReading.readLane('quick', signal),
    },
    {
      name: readLongTextsJobName,
      everyMs: 15_000,
      quietEveryMs: 60_000,
      concurrency: 1,
      run: (signal) => textReading.readLane('long', signal),
    },
    {
      name: recognizePagesJobName,
      everyMs: 60_000,
      concurrency: recognitionConcurrency,
      run: (signal) => recognition.recognizeAll(signal),
    },
    { name: 'watch-readers', everyMs: 5_000, quietEveryMs: 60_000, concurrency: 1, run: requeueOrphans },
    { name: 'check-stored-bytes', everyMs: 3_600_000, concurrency: 1, run: checkStoredBytes },
    { name: 'check-stages', everyMs: 60_000, concurrency: 1, run: checkStages },
    { name: 'sweep-documents', everyMs: 60_000, concurrency: 1, run: (signal) => sweeping.sweep(signal) },
    { name: 'purge-documents', everyMs: 60_000, concurrency: 1, run: (signal) => sweeping.purgeOld(signal) },
  ],
});

interface DocumentRouteNeeds {
  settings: Pick<Settings, 'maxUploadBytes'>;
  streams: StreamAdmission;
  documents: DocumentServices;
  extractions: (actor: Actor) => { changeCount(documentId: string): Promise<number> };
  autoCreate: (actor: Actor) => { withLog(document: Document): Promise<Document> };
  /** Milliseconds after which a stalled download ends. */
  downloadStallMs?: number;
}

/** The routes of documents. They follow later features, because they show data of those. */
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
