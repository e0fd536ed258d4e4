import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { createGuardedFetch } from '../../platform/network/guarded-fetch.ts';
import { createHostGuard, type ResolveHost } from '../../platform/network/host-guard.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createSealedTexts } from '../../platform/settings/sealed-text.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { EventLog } from '../event-log/index.ts';
import type { EventReader } from '../events/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import { createPromptCheck } from '../prompts/index.ts';
import { createTagCheck } from '../tags/index.ts';
import { createDeliveryService } from './delivery-service.ts';
import { createWebhookQueue, createWebhookRepositories } from './webhook-repository.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createWebhookService } from './webhook-service.ts';

interface WebhookNeeds {
  connection: Connection;
  appSecret: string;
  settings: Pick<Settings, 'llm'>;
  resolveHost?: ResolveHost;
  eventLog: EventLog;
  eventReader: EventReader;
  identity: Pick<IdentityServices, 'roleOf'>;
  jobs: Pick<JobQueue, 'wake'>;
  logger: FastifyBaseLogger;
}

const jobName = 'deliver webhooks';
const keptMs = 30 * 86_400_000;

/** Webhooks: events are sent to addresses of the organization. */
export const webhooksFeature = defineFeature({
  create(needs: WebhookNeeds) {
    const { connection, appSecret, settings, resolveHost, eventLog, eventReader, identity, jobs, logger } = needs;
    const guard = createHostGuard(settings.llm.allowedHosts, resolveHost);
    const webhooksOf = createWebhookRepositories(connection);
    const webhookQueue = createWebhookQueue(connection);
    const secrets = createWebhookSecrets(createSealedTexts(deriveKey(appSecret, 'webhooks')));
    const shared = { webhooksOf, eventLog, eventReader, secrets };
    const guardedFetch = createGuardedFetch(guard);
    const sending = { ...shared, queue: webhookQueue, guardedFetch, roleOf: identity.roleOf, log: logger };
    const webhookDelivery = createDeliveryService(sending);
    const wake = () => jobs.wake(jobName);
    const webhooks = createWebhookService({
      ...shared,
      delivery: webhookDelivery,
      guard,
      wake,
      checkTags: createTagCheck(connection),
      promptExists: createPromptCheck(connection),
    });
    return { webhooks, webhookDelivery, webhookQueue, webhookSending: sending };
  },
  routes: async (app, { webhooks }) => app.register(webhookRoutes, { services: { webhooks } }),
  jobs: ({ webhookDelivery, webhookQueue }): Job[] => [
    {
      name: jobName,
      // Retries become due by themselves.
      everyMs: 5_000,
      wokenBy: ['event_log', 'webhooks'],
      concurrency: 1,
      run: (signal) => webhookDelivery.work(signal),
    },
    {
      name: 'sweep webhook deliveries',
      everyMs: 3_600_000,
      concurrency: 1,
      run: () => webhookQueue.sweep(new Date(Date.now() - keptMs)),
    },
  ],
  stop: ({ webhookDelivery }) => webhookDelivery.stop(),
});
