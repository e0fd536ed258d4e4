import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { DocumentHooks } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { ReleaseHooks } from '../release/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createStoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import { createIndexUpdates } from './index-updates.ts';
import { createResultDocuments } from './result-documents-repository.ts';
import { createResultIndex, type ResultIndexRepository } from './result-index-repository.ts';
import { resultRoutes } from './result-routes.ts';
import { createResultService } from './result-service.ts';
import { createRevisionCounts } from './revision-count-repository.ts';
import { createSavedViews } from './saved-views/saved-view-repository.ts';
import { createSchemaUse } from './schema-use-service.ts';
import { createResultTables, createWarmTables } from './result-tables.ts';

interface ResultNeeds {
  connection: Connection;
  documentHooks: DocumentHooks;
  releaseHooks: ReleaseHooks;
  prompts: (actor: Actor) => PromptService;
  schemas: (actor: Actor) => SchemaService;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** So often a process asks whether it should store tables for the next start. */
const storeEveryMs = 60_000;
/** Copies in memory are refreshed more often, or read anew. */
const keptRemovalsMs = 24 * 3_600_000;

/** Results over many documents: rows, filters, totals and exports, from an index of their own. */
export const resultsFeature = defineFeature({
  create({ connection, documentHooks, releaseHooks, prompts, schemas, logger }: ResultNeeds) {
    const resultIndex: ResultIndexRepository = createResultIndex(connection);
    const indexUpdates = createIndexUpdates(resultIndex, logger);
    documentHooks.onRemove((organizationId, documentId) => resultIndex.removeDocument(organizationId, documentId));
    releaseHooks.onEvent(async ({ organization_id, document_id, prompt_id }) => {
      const [organizationId, documentId] = [organization_id.toHexString(), document_id.toHexString()];
      await resultIndex.mark({ organizationId, documentId, promptId: prompt_id });
    });
    const resultTables = createWarmTables(resultIndex, createResultTables(resultIndex, createStoredCopies(connection)));
    const results = createResultService({
      index: resultIndex,
      indexUpdates,
      tables: resultTables,
      documents: createResultDocuments(connection),
      prompts,
    });
    return {
      results,
      resultIndex,
      indexUpdates,
      resultTables,
      savedViews: createSavedViews(connection, prompts),
      schemaUse: createSchemaUse({ countByRevision: createRevisionCounts(connection), prompts, schemas }),
    };
  },
  async routes(app, { results, resultTables, savedViews, schemaUse, streams }) {
    app.addHook('onListen', async () => {
      void resultTables
        .warm(app.closing)
        .catch((error: unknown) => app.log.warn({ err: error }, 'results were not read into memory in advance'));
      const storing = setInterval(() => {
        void resultTables
          .storeUsed()
          .catch((error: unknown) => app.log.warn({ err: error }, 'results were not stored for the next start'));
      }, storeEveryMs).unref();
      app.closing.addEventListener('abort', () => clearInterval(storing), { once: true });
    });
    await app.register(resultRoutes, { services: { results, savedViews, schemaUse }, streams });
  },
  jobs: ({ resultIndex, indexUpdates }): Job[] => [
    {
      name: 'index results',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['extractions', 'removed_results'],
      concurrency: 1,
      run: (signal) => indexUpdates.work(signal),
    },
    {
      name: 'sweep the index of results',
      everyMs: 3_600_000,
      concurrency: 1,
      run: () => resultIndex.sweep(new Date(Date.now() - keptRemovalsMs)),
    },
  ],
});
