import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { DocumentHooks, FileRepository } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import type { MeterEmbeddings } from '../usage/index.ts';
import { collectionRoutes } from './collection-routes.ts';
import { createIndexCollectionsJob, indexCollectionsJobName } from './index-collections-job.ts';
import { createCollectionRemoval, createPipelineServices } from './pipeline-services.ts';

interface CollectionNeeds {
  connection: Connection;
  files: Pick<FileRepository, 'read'>;
  artifacts: Pick<ExtractionServices, 'extractions'>;
  llmEndpoint: { baseUrl: string; apiKey: string | undefined };
  settings: Pick<Settings, 'llm'>;
  meterEmbeddings: MeterEmbeddings;
  isEndpointLocal: (organizationId: string) => Promise<boolean>;
  documentHooks: DocumentHooks;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** Pipelines and the collections that they create. */
export const collectionsFeature = defineFeature({
  create(needs: CollectionNeeds) {
    const {
      connection,
      files,
      artifacts,
      llmEndpoint,
      settings,
      meterEmbeddings,
      isEndpointLocal,
      documentHooks,
      jobs,
      logger,
    } = needs;
    documentHooks.onRemove(createCollectionRemoval(connection));
    return {
      pipelines: createPipelineServices({
        connection,
        files,
        extractions: artifacts.extractions,
        endpoint: { ...llmEndpoint, embeddingModel: settings.llm.embeddingModel },
        meterEmbeddings,
        isEndpointLocal,
        wakeIndexing: () => jobs.wake(indexCollectionsJobName),
        log: logger,
      }),
    };
  },
  routes: async (app, { pipelines: services }) => app.register(collectionRoutes, { services }),
  jobs: ({ pipelines }) => [
    createIndexCollectionsJob(pipelines.indexing),
    {
      name: 'chunk-work',
      everyMs: 60_000,
      concurrency: 1,
      wokenBy: ['chunk_tasks'],
      run: (signal) => pipelines.chunkWork.work(signal),
    },
  ],
});
