import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { DocumentHooks } from '../documents/index.ts';
import type { EventLog } from '../event-log/index.ts';
import type { ReleaseHooks } from '../release/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createAnnouncements } from './announcement-repository.ts';
import { eventRoutes } from './event-routes.ts';
import { createEventFeed, createEventReader, type EventReader } from './feed-service.ts';

interface EventNeeds {
  connection: Connection;
  eventLog: EventLog;
  documentHooks: DocumentHooks;
  releaseHooks: ReleaseHooks;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** Events about results, and the feed of all events. */
export const eventsFeature = defineFeature({
  create({ connection, eventLog, documentHooks, releaseHooks, logger }: EventNeeds) {
    const announcements = createAnnouncements(connection, eventLog, logger);
    documentHooks.onRemove((organizationId, documentId) => eventLog.forgetDocument(organizationId, documentId));
    releaseHooks.onEvent(async ({ _id, organization_id, document_id, type, at, ...about }) => {
      const [organizationId, documentId] = [organization_id.toHexString(), document_id.toHexString()];
      const { prompt_id, prompt_revid, version, by, policy_version, because } = about;
      const document_name = (await announcements.namesOf(organizationId, [documentId])).get(documentId) ?? '';
      const data = {
        document_id: documentId,
        document_name,
        prompt_id,
        prompt_revid,
        version,
        ...(by && { by }),
        ...(policy_version !== undefined && { policy_version }),
        ...(because && { because }),
      };
      await eventLog.append(organizationId, [{ id: _id, type, at, data }]);
    });
    const eventReader: EventReader = createEventReader(eventLog, announcements);
    return { announcements, eventReader, eventFeed: createEventFeed(eventLog, eventReader) };
  },
  routes: async (app, { eventFeed, streams }) => app.register(eventRoutes, { services: { eventFeed }, streams }),
  jobs: ({ announcements }): Job[] => [
    {
      name: 'announce results',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['extractions'],
      concurrency: 1,
      run: (signal) => announcements.work(signal),
    },
  ],
});
