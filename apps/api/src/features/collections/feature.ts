import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { DocumentHooks } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import { pluginRoutes } from '../plugins/index.ts';
import { sourceRoutes } from '../sources/index.ts';
import { createTagRepositories, createTagCheck } from '../tags/index.ts';
import type { MeterEmbeddings } from '../usage/index.ts';
import { collectionRoutes } from './collection-routes.ts';
import { createIndexCollectionsJob, indexCollectionsJobName } from './index-collections-job.ts';
import { createCollectionRemoval, createPipelineServices } from './pipeline-services.ts';

interface CollectionNeeds {
  connection: Connection;
  artifacts: Pick<ExtractionServices, 'extractions'>;
  llmEndpoint: { baseUrl: string; apiKey: string | undefined };
  settings: Pick<Settings, 'llm'>;
  meterEmbeddings: MeterEmbeddings;
  documentHooks: DocumentHooks;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** Sources, pipelines and the collections that pipelines create. */
export const collectionsFeature = defineFeature({
  create(needs: CollectionNeeds) {
    const { connection, artifacts, llmEndpoint, settings, meterEmbeddings, documentHooks, jobs, logger } = needs;
    documentHooks.onRemove(createCollectionRemoval(connection));
    return {
      pipelines: createPipelineServices({
        connection,
        checkTags: createTagCheck(createTagRepositories(connection)),
        extractions: artifacts.extractions,
        endpoint: { ...llmEndpoint, embeddingModel: settings.llm.embeddingModel },
        meterEmbeddings,
        wakeIndexing: () => jobs.wake(indexCollectionsJobName),
        log: logger,
      }),
    };
  },
  async routes(app, { pipelines: services }) {
    await app.register(pluginRoutes);
    await app.register(sourceRoutes, { services });
    await app.register(collectionRoutes, { services });
  },
  jobs: ({ pipelines }) => [createIndexCollectionsJob(pipelines.indexing)],
});
