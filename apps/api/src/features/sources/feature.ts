import { DomainError, type SourceConnector } from '@docwright/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createMatchingDocumentRepositories } from '../extractions/index.ts';
import { createTagCheck } from '../tags/index.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { workUnderLeases, type HeldLease } from '../../platform/leases/leased-work.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { DocumentServices } from '../documents/index.ts';
import { createFolderConnector } from './connectors/folder-connector.ts';
import { createSourceFiles } from './source-file-repository.ts';
import { createSync } from './sync-service.ts';
import { createSyncQueue, type SyncClaim } from './sync-queue-repository.ts';
import { createSourceRepositories } from './source-repository.ts';
import { sourceRoutes } from './source-routes.ts';
import { createSourceService } from './source-service.ts';

const syncJobName = 'sync-sources';

interface SourceNeeds {
  connection: Connection;
  documents: Pick<DocumentServices, 'uploads'>;
  settings: Pick<Settings, 'inletDirs'>;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** Sets of documents, and sources that fill themselves. */
export const sourcesFeature = defineFeature({
  create({ connection, documents, settings, jobs, logger }: SourceNeeds) {
    const filesOf = createSourceFiles(connection);
    const connectorOf = (organizationId: string, { config }: SourceConnector) =>
      createFolderConnector(config, settings.inletDirs.get(organizationId) ?? []);
    const queue = createSyncQueue(connection);
    const sync = createSync({ filesOf, uploads: documents.uploads });
    const matchingOf = createMatchingDocumentRepositories(connection);
    return {
      async syncSources(signal: AbortSignal) {
        const options = {
          claim: () => queue.claim(),
          renew: (claim: SyncClaim) => queue.renew(claim),
          renewEveryMs: 5_000,
          release: (claim: SyncClaim) => queue.release(claim),
          async work(claim: SyncClaim, lease: HeldLease) {
            const { source } = claim;
            await queue.finish(claim, await sync(source, connectorOf(source.organizationId, claim.connector), lease));
          },
          async fail(claim: SyncClaim, error: unknown) {
            logger.warn({ err: error, source_id: claim.source.id }, 'a source could not be synced');
            const { code, message } =
              error instanceof DomainError
                ? error
                : { code: 'sync_failed', message: 'The source could not be read. It is tried again.' };
            await queue.fail(claim, { code, message });
          },
        };
        await workUnderLeases(options, signal);
      },
      sources: createSourceService({
        sourcesOf: createSourceRepositories(connection),
        checkTags: createTagCheck(connection),
        async checkConnector(organizationId, connector) {
          await connectorOf(organizationId, connector).check();
        },
        forgetFiles: (organizationId, id) => filesOf(organizationId, id).removeAll(),
        wakeSync: () => jobs.wake(syncJobName),
        existingDocuments: (organizationId, ids) => matchingOf(organizationId).existing(ids),
      }),
    };
  },
  jobs: (services): Job[] => [
    { name: syncJobName, everyMs: 10_000, concurrency: 1, run: (signal) => services.syncSources(signal) },
  ],
  routes: async (app, { sources }) => app.register(sourceRoutes, { services: { sources } }),
});
