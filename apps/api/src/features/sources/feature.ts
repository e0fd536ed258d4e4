import { artifactNameFrom, DomainError, type SourceConnector, type Tag } from '@docwright/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createMatchingDocumentRepositories } from '../extractions/index.ts';
import { createTagCheck, type TagService } from '../tags/index.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { workUnderLeases, type HeldLease } from '../../platform/leases/leased-work.ts';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createGuardedFetch } from '../../platform/network/guarded-fetch.ts';
import { createHostGuard, type ResolveHost } from '../../platform/network/host-guard.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createSealedTexts } from '../../platform/settings/sealed-text.ts';
import { createProtection, type DocumentServices } from '../documents/index.ts';
import { arrivalActor, type Actor } from '../identity/index.ts';
import type { Rejudging } from '../release/index.ts';
import type { KeepingSources } from '../usage/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createFolderEvents } from './folder-events.ts';
import { createOpenConnector } from './connectors/open-connector.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createSourceFiles } from './source-file-repository.ts';
import { createSync, type SyncedSource, type SyncOutcome } from './sync-service.ts';
import { createSyncPlaces, inTurn } from './sync-places.ts';
import { createSyncQueue, type SyncClaim } from './sync-queue-repository.ts';
import { createSourceRepositories } from './source-repository.ts';
import { sourceRoutes } from './source-routes.ts';
import { createSourceService } from './source-service.ts';

const syncJobName = 'sync-sources';
/** In one process. */
const syncsAtOnce = { inAll: 6, ofOrganization: 3 };

interface SourceNeeds {
  connection: Connection;
  documents: Pick<DocumentServices, 'uploads'>;
  storageLimit: Pick<StorageLimit, 'requireRoom'>;
  settings: Pick<Settings, 'inletDirs' | 'llm' | 'maxUploadBytes' | 's3MachineRole'>;
  appSecret: string;
  resolveHost?: ResolveHost;
  tags: (actor: Actor) => TagService;
  streams: StreamAdmission;
  jobs: Pick<JobQueue, 'wake'>;
  keepingSources: KeepingSources[];
  rejudging: Pick<Rejudging, 'ofDocument'>;
  logger: FastifyBaseLogger;
}

/** Sets of documents, and sources that fill themselves. */
export const sourcesFeature = defineFeature({
  create({
    connection,
    documents,
    storageLimit,
    settings,
    appSecret,
    resolveHost,
    tags,
    jobs,
    logger,
    keepingSources,
    rejudging,
  }: SourceNeeds) {
    const filesOf = createSourceFiles(connection);
    const guard = createHostGuard(settings.llm.allowedHosts, resolveHost);
    const secrets = createConnectorSecrets(createSealedTexts(deriveKey(appSecret, 'source-secrets')));
    const openConnector = createOpenConnector({
      inletDirs: settings.inletDirs,
      machineRoleOrganizations: settings.s3MachineRole,
      guardedFetch: createGuardedFetch(guard),
      guard,
      maxFileBytes: settings.maxUploadBytes,
    });
    const queue = createSyncQueue(connection);
    const places = createSyncPlaces<SyncClaim>({
      ...syncsAtOnce,
      organizationOf: ({ source }) => source.organizationId,
    });
    const tagsNamed = createTagsNamed({ tags });
    const maxFileBytes = settings.maxUploadBytes;
    const protectionOf = createProtection(connection);
    const sync = createSync({
      filesOf,
      protectionOf,
      uploads: documents.uploads,
      requireRoom: (organizationId) => storageLimit.requireRoom(organizationId),
      rejudge: (organizationId, documentId) => rejudging.ofDocument(organizationId, documentId),
      tagsNamed,
      maxFileBytes,
    });
    const wakeSync = () => jobs.wake(syncJobName);
    const folderEvents = createFolderEvents({ queue, openConnector, wakeSync });
    const sourcesOf = createSourceRepositories(connection);
    keepingSources.push(async (organizationId) => sourcesOf(organizationId).keeping());
    const matchingOf = createMatchingDocumentRepositories(connection);

    async function syncOnce(claim: SyncClaim, lease: HeldLease): Promise<void> {
      const { source, connector: masked, sealedSecrets: sealed } = claim;
      const opened = secrets.open(source.organizationId, { masked, sealed });
      const keepSecret = (secret: string) => {
        const { sealed: renewed } = secrets.seal(source.organizationId, { ...opened, secret } as SourceConnector);
        storing = queue.storeSecrets(claim, renewed);
      };
      let storing: Promise<void> | undefined;
      const connector = openConnector(source.organizationId, opened, keepSecret);
      const onProgress = (done: Pick<SyncOutcome, 'counts' | 'errors'>) => queue.noteProgress(claim, done);
      const isWanted = async () => places.isFull() && (await queue.isOtherWaiting(claim));
      try {
        const done = await inTurn({ held: lease.signal, isWanted }, (signal) =>
          sync(source, connector, {
            signal,
            async requireHeld() {
              signal.throwIfAborted();
              await lease.requireHeld();
            },
            onProgress,
            seen: claim.seen,
            forgetSeen: () => queue.forgetSeen(claim),
            isKeeping: () => queue.isKeeping(claim),
          }),
        );
        await (done === undefined ? queue.postpone(claim) : queue.finish(claim, done));
      } finally {
        await Promise.all([connector.close(), storing]);
      }
    }

    return {
      folderEvents,
      async syncSources(signal: AbortSignal) {
        if (!(await queue.isAnyDue())) return;
        const options = {
          claim: () => places.take((full) => queue.claim(full)),
          renew: (claim: SyncClaim) => queue.renew(claim),
          renewEveryMs: 5_000,
          release: (claim: SyncClaim) => queue.release(claim),
          work: (claim: SyncClaim, lease: HeldLease) => syncOnce(claim, lease).finally(() => places.release(claim)),
          async fail(claim: SyncClaim, error: unknown) {
            logger.warn({ err: error, source_id: claim.source.id }, 'a source could not be synced');
            const { code, message } =
              error instanceof DomainError
                ? error
                : { code: 'sync_failed', message: 'The source could not be read. It is tried again.' };
            await queue.fail(claim, { code, message });
          },
        };
        // A slow mailbox does not delay the others.
        await Promise.all(Array.from({ length: syncsAtOnce.inAll }, () => workUnderLeases(options, signal)));
      },
      sources: createSourceService({
        sourcesOf,
        protectDocuments: (organizationId, id) => protectionOf(organizationId).protectFrom(id),
        checkTags: createTagCheck(connection),
        openConnector,
        secrets,
        forgetFiles: (organizationId, id) => filesOf(organizationId, id, '').removeAll(),
        wakeSync,
        existingDocuments: (organizationId, ids) => matchingOf(organizationId).existing(ids),
      }),
    };
  },
  jobs: (services): Job[] => [
    {
      name: syncJobName,
      everyMs: 10_000,
      concurrency: syncsAtOnce.inAll,
      run: (signal) => services.syncSources(signal),
    },
    {
      name: 'watch the folders of sources',
      everyMs: 30_000,
      concurrency: 1,
      run: async () => services.folderEvents.refresh(),
    },
  ],
  stop: async ({ folderEvents }) => folderEvents.close(),
  routes: async (app, { sources, streams }) => app.register(sourceRoutes, { services: { sources }, streams }),
});

interface TagsNamedDependencies {
  tags: (actor: Actor) => Pick<TagService, 'create' | 'list'>;
}

/** The ids of the organization's tags of these names, without regard to case; those that do not exist are created. */
function createTagsNamed({ tags }: TagsNamedDependencies) {
  return async ({ organizationId, id }: SyncedSource, names: readonly string[]): Promise<string[]> => {
    const service = tags(arrivalActor(organizationId, id));
    const find = async (name: string): Promise<Tag | undefined> => {
      const { tags: found } = await service.list({ skip: 0, limit: 100, name_search: name });
      return found.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
    };
    const ids: string[] = [];
    // A user who names a folder on the disk has passed no check of names.
    for (const name of new Set(names.map(artifactNameFrom))) {
      if (name === '') continue;
      const tag = (await find(name)) ?? (await service.create({ name }).catch(ignoreTaken)) ?? (await find(name));
      if (tag !== undefined) ids.push(tag.tag_id);
    }
    return ids;
  };
}

/** Another process was faster. */
function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.code !== 'tag_name_taken') throw error;
}
