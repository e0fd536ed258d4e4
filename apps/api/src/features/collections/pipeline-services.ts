import { createOpenAiEmbeddingClient, type EmbeddingClient } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { createDocumentRepositories, createPageRepositories, type FileRepository } from '../documents/index.ts';
import { type ExtractionService, createMatchingDocumentRepositories } from '../extractions/index.ts';
import { lesserRole, type Actor, createOrganizationRepository } from '../identity/index.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import type { MeterEmbeddings } from '../usage/index.ts';
import { createChunkWork } from './chunk-work-repository.ts';
import { createChunkRepositories } from './chunks/chunk-repository.ts';
import { createCollectionRepositories } from './collection-repository.ts';
import { createCollectionService } from './collection-service.ts';
import { createDryRunService, hasPlaces, type Processing } from '../pipelines/index.ts';
import { createIndexingRepository } from './indexing-repository.ts';
import { createIndexingService } from './indexing-service.ts';
import { createFindSimilar, createSearchService } from './search-service.ts';
import { createSourceRepositories } from '../sources/index.ts';

interface PipelineDependencies {
  connection: Connection;
  files: Pick<FileRepository, 'read'>;
  extractions: (actor: Actor) => ExtractionService;
  /** The endpoint for embeddings. Without a model, collections have no vectors. */
  endpoint: { baseUrl: string; apiKey: string | undefined; embeddingModel: string | undefined };
  meterEmbeddings: MeterEmbeddings;
  isEndpointLocal: (organizationId: string) => Promise<boolean>;
  wakeIndexing: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Pipelines and the collections that they create. */
export function createPipelineServices(dependencies: PipelineDependencies) {
  const { connection, files, extractions, endpoint, meterEmbeddings, isEndpointLocal, wakeIndexing, log } =
    dependencies;
  const sourcesOf = createSourceRepositories(connection);
  const collectionsOf = createCollectionRepositories(connection);
  const chunksOf = createChunkRepositories(connection);
  const documentsOf = createDocumentRepositories(connection);
  const pagesOf = createPageRepositories(connection);
  const matchingOf = createMatchingDocumentRepositories(connection);
  const promptsOf = createPromptRepositories(connection);
  const organizations = createOrganizationRepository(connection);
  const documentOf = (organizationId: string, id: string) => documentsOf(organizationId).get(id);
  const { baseUrl, apiKey, embeddingModel } = endpoint;
  const client =
    embeddingModel === undefined ? undefined : createOpenAiEmbeddingClient({ baseUrl, apiKey, model: embeddingModel });
  const embeddingsFor = ({ organizationId, userId }: Actor, documentId?: string): EmbeddingClient | undefined =>
    client && meterEmbeddings(client, { organizationId, userId, documentId }, () => isEndpointLocal(organizationId));

  const readersOf = ({ organizationId }: Actor): Pick<Processing, 'storedPages' | 'bytes'> => ({
    async storedPages(document) {
      const pages = pagesOf(organizationId);
      if (hasPlaces(document)) return await pages.pages(document.id);
      // Skips words, which take many times the memory of a long text.
      const texts = await pages.texts(document.id);
      return texts.map((page) => ({ ...page, width: 0, height: 0, words: [], needs_ocr: false }));
    },
    async bytes(documentId) {
      const found = await documentsOf(organizationId).fileOf(documentId);
      return found ? await files.read(found.file_id) : new Uint8Array();
    },
  });

  return {
    collections: createCollectionService({
      collectionsOf,
      sourcesOf,
      chunksOf,
      promptExists: async (organizationId, revid) => (await promptsOf(organizationId).get(revid)) !== undefined,
      embeddingModel,
      wakeIndexing,
    }),
    search: createSearchService({
      searchOf: (organizationId, id) => collectionsOf(organizationId).searchOf(id),
      chunksOf,
      embeddingsFor,
      documentNames: (organizationId, ids) => matchingOf(organizationId).namesOf(ids, 'for models'),
      log,
    }),
    findSimilar: createFindSimilar({
      withVectors: (organizationId, named, limit) => collectionsOf(organizationId).withVectors(named, limit),
      chunksOf,
      embeddingsFor,
      log,
    }),
    dryRun: createDryRunService({
      documentOf,
      processingFor: (actor) => ({
        ...readersOf(actor),
        extraction: (documentId, revid) => extractions(actor).latest(documentId, revid),
        embeddings: undefined,
      }),
    }),
    chunkWork: createChunkWork({ connection, log }),
    indexing: createIndexingService({
      indexing: createIndexingRepository(connection),
      chunksOf,
      sourcesOf,
      documentOf,
      async actorOf({ organizationId, indexedFor: userId, role }) {
        const current = await organizations.roleOf(organizationId, userId);
        return { organizationId, userId, role: current === undefined ? 'viewer' : lesserRole(current, role) };
      },
      processingFor: (actor, documentId) => ({
        ...readersOf(actor),
        extraction: async (id, revid, signal) =>
          (await extractions(actor).latest(id, revid)) ?? (await extractions(actor).run(id, revid, undefined, signal)),
        embeddings: embeddingsFor(actor, documentId),
      }),
      embeddingModel,
      log,
    }),
  };
}

/** Removes a deleted document and its chunks from every collection. */
export function createCollectionRemoval(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const collectionsOf = createCollectionRepositories(connection);
  const chunksOf = createChunkRepositories(connection);
  return async (organizationId, documentId) => {
    const chunks = chunksOf(organizationId);
    for (const id of await collectionsOf(organizationId).removeDocument(documentId)) {
      await chunks.removeDocument(id, documentId);
      await chunks.forget(id, documentId);
    }
  };
}
