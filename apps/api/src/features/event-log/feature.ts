import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import { createEventLog, createOutboxRelay, type EventLog } from './event-log-repository.ts';

type Facts = Record<string, unknown>;

/** The event log of each organization. Features write events into the outbox of a record, or append them here. */
export const eventLogFeature = defineFeature({
  create({ connection, logger }: { connection: Connection; logger: FastifyBaseLogger }) {
    const eventLog: EventLog = createEventLog(connection);
    const sources = [
      {
        collection: 'documents',
        describe: ({ _id, document_name }: Facts) => ({ document_id: String(_id), document_name }),
      },
      { collection: 'webhooks', describe: () => ({}) },
      { collection: 'runs', describe: ({ _id }: Facts) => ({ run_id: String(_id) }) },
      { collection: 'sources', describe: ({ _id, name }: Facts) => ({ source_id: String(_id), name }) },
      {
        collection: 'agent_turns',
        describe: ({ _id, document_id, thread_id }: Facts) => ({
          turn_id: String(_id),
          thread_id: String(thread_id),
          document_id: String(document_id),
        }),
      },
    ];
    const relayOutboxes = createOutboxRelay(connection, eventLog, sources, logger);
    return { eventLog, relayOutboxes };
  },
  jobs: ({ eventLog, relayOutboxes }): Job[] => [
    {
      name: 'publish events',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['documents', 'webhooks', 'runs', 'sources', 'agent_turns'],
      concurrency: 1,
      run: relayOutboxes,
    },
    { name: 'sweep events', everyMs: 3_600_000, concurrency: 1, run: () => eventLog.sweep() },
  ],
});
