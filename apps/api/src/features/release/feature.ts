import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { AuditWrites } from '../audit/index.ts';
import type { DocumentHooks, DocumentServices } from '../documents/index.ts';
import { createOutsideBlocks, createResultSweeps, type ExtractionServices } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptHooks, PromptService } from '../prompts/index.ts';
import type { ChangeReview } from '../revisions/index.ts';
import { createReviewReaders } from '../value-risk/index.ts';
import { createEvidenceRepositories } from './policies/evidence-repository.ts';
import { createPolicyRepositories } from './policies/policy-repository.ts';
import { createReleaseHistories } from './release-history-repository.ts';
import { createReleases, type PublishedEvent } from './release-repository.ts';
import { releaseRoutes } from './release-routes.ts';
import { createReleaseService } from './release-service.ts';
import { createReleaseUpdater } from './release-updater.ts';

interface ReleaseNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  documents: DocumentServices;
  documentHooks: DocumentHooks;
  promptHooks: PromptHooks;
  prompts: (actor: Actor) => PromptService;
  extractions: ExtractionServices['extractions'];
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

/** Callbacks of later features. */
export interface ReleaseHooks {
  /** A result was released or withdrawn. Called at least once for each event, whose id is always the same. */
  onEvent(listener: (event: PublishedEvent) => Promise<void>): void;
}

/** Requests of later features to judge releases again, after a change that is not a write of a result. */
export interface Rejudging {
  /** Wraps a change of a prompt's review: its results are judged afterwards. */
  after(change: ChangeReview): ChangeReview;
  ofDocument(organizationId: string, documentId: string): Promise<void>;
}

const jobName = 'judge releases';

/** The release of results: by users, and by policies with a bound on what is wrong. */
export const releaseFeature = defineFeature({
  create(needs: ReleaseNeeds) {
    const { connection, auditWrites, documents, documentHooks, promptHooks, prompts, extractions, jobs, logger } =
      needs;
    const listeners: Parameters<ReleaseHooks['onEvent']>[0][] = [];
    const releaseHooks: ReleaseHooks = { onEvent: (listener) => void listeners.push(listener) };
    const releases = createReleases(connection, async (event) => {
      for (const listener of listeners) await listener(event);
    });
    const rejudgements = createResultSweeps(connection, 'release_rejudgements', {
      'release.state': { $in: ['open', 'withdrawn'] },
    });
    const outsideBlocks = createOutsideBlocks(connection);
    const policiesOf = createPolicyRepositories(connection);
    const evidenceOf = createEvidenceRepositories(connection);
    promptHooks.onPolicyChange(async (organizationId, promptId) => {
      await policiesOf(organizationId).current(promptId);
      await policiesOf(organizationId).refit(promptId);
      await rejudgements.request(organizationId, promptId);
      await jobs.wake(jobName);
    });
    documentHooks.onTrash((organizationId, documentIds) => releases.withdrawTrashed(organizationId, documentIds));
    documentHooks.onRemove(async (organizationId, documentId) => {
      await evidenceOf(organizationId).remove(documentId);
      await releases.remove(organizationId, documentId);
    });
    const rejudging: Rejudging = {
      after: (change) => async (organizationId, promptId) => {
        await change(organizationId, promptId);
        await rejudgements.request(organizationId, promptId);
        await jobs.wake(jobName);
      },
      async ofDocument(organizationId, documentId) {
        await releases.rejudgeDocument(organizationId, documentId);
        await jobs.wake(jobName);
      },
    };
    return {
      releaseHooks,
      rejudging,
      releaseUpdater: createReleaseUpdater({
        releases,
        rejudgements,
        policiesOf,
        evidenceOf,
        readerOf: createReviewReaders(connection),
        outsideBlocks,
        log: logger,
      }),
      releases: createReleaseService({
        auditWrites,
        releases,
        rejudgements,
        outsideBlocks,
        policiesOf,
        evidenceOf,
        historyOf: createReleaseHistories(connection),
        documents: documents.documents,
        prompts,
        extractions,
      }),
    };
  },
  routes: async (app, { releases }) => app.register(releaseRoutes, { services: { releases } }),
  jobs: ({ releaseUpdater }) => [
    {
      name: jobName,
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['extractions'],
      concurrency: 1,
      run: (signal) => releaseUpdater.work(signal),
    },
  ],
});
