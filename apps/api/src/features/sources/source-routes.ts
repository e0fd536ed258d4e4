import {
  connectorTest,
  createSourceBody,
  objectId,
  pipelineListQuery,
  source,
  sourceList,
  sourceSync,
  sourceSyncEvent,
  testConnectorBody,
  updateSourceBody,
  type SourceSync,
  type SourceSyncEvent,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { pollInTurn } from '../../platform/places/polls.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { SourceService } from './source-service.ts';

const operation = operationsOf('sources');
const path = '/api/v2/sources';
/** What a connector that cannot be read answers. */
const connectorErrors = [
  'admin_required',
  'viewer_cannot_write',
  'folder_not_allowed',
  'folder_missing',
  'source_unavailable',
  'source_refused',
  'source_host_refused',
  'bucket_missing',
  'mail_folder_missing',
  'secret_needed',
] as const;
const sourcePath = z.object({ source_id: objectId });

/** Sets of documents for pipelines. */
export const sourceRoutes: FastifyPluginAsyncZod<{
  services: { sources: (actor: Actor) => SourceService };
  streams: StreamAdmission;
}> = async (app, { services: { sources }, streams }) => {
  app.get(
    path,
    operation({
      operationId: 'listSources',
      summary: 'List sources, newest first',
      description:
        'The sources of the organization in `X-Org-Id`. `document_count` is the current number of documents.',
      querystring: pipelineListQuery,
      response: { 200: sourceList },
    }),
    async (request) => sources(request.actor).list(request.query),
  );

  app.post(
    path,
    operation({
      operationId: 'createSource',
      summary: 'Create a source',
      description:
        'A set of the organization’s documents: by `document_ids`, by `tag_ids` (documents with all of them), by part of the name, or by several of these together; without any, all documents. Tags and names are evaluated when the source is used. With a `connector` (for admins) the source fills itself: the files of a folder, within what the operator bound to the organization in `INLET_DIRS`, of a bucket that speaks S3, or of the mails of an IMAP folder become documents with `tag_ids`, each once; it is looked at `every` (15m by default), and while folders are written to. Secrets are encrypted, bound to the host and user, and come back masked.',
      body: createSourceBody.meta({ examples: [{ name: 'Contracts', name_search: 'contract' }] }),
      errors: ['unknown_reference', 'source_not_syncable', ...connectorErrors],
      response: { 201: source },
    }),
    async (request, reply) => reply.code(201).send(await sources(request.actor).create(request.body)),
  );

  app.post(
    `${path}/test`,
    operation({
      operationId: 'testConnector',
      summary: 'Try a connector',
      description:
        'The first files that a sync would see; nothing is taken. With `source_id`, secrets that are left out or masked are those of the source, if host and user are the same. For admins.',
      body: testConnectorBody,
      errors: [...connectorErrors],
      response: { 200: connectorTest },
    }),
    async (request) => sources(request.actor).test(request.body),
  );

  app.get(
    `${path}/:source_id`,
    operation({
      operationId: 'getSource',
      summary: 'Get a source',
      params: sourcePath,
      errors: ['source_not_found'],
      response: { 200: source },
    }),
    async (request) => sources(request.actor).get(request.params.source_id),
  );

  app.patch(
    `${path}/:source_id`,
    operation({
      operationId: 'updateSource',
      summary: 'Change a source that fills itself',
      description:
        'A new connector, interval or `enabled: true` makes a sync due. Tags hold for documents that come from now on. For admins.',
      params: sourcePath,
      body: updateSourceBody.meta({ examples: [{ enabled: false }] }),
      errors: ['unknown_reference', 'source_not_found', 'source_not_syncable', ...connectorErrors],
      response: { 200: source },
    }),
    async (request) => sources(request.actor).update(request.params.source_id, request.body),
  );

  app.get(
    `${path}/:source_id/sync`,
    operation({
      operationId: 'getSourceSync',
      summary: 'Get the last sync of a source',
      description: 'What it saw and took, and the first twenty files that it could not take, with the reason.',
      params: sourcePath,
      errors: ['source_not_found'],
      response: { 200: sourceSync },
    }),
    async (request) => sources(request.actor).sync(request.params.source_id),
  );

  app.post(
    `${path}/:source_id/sync`,
    operation({
      operationId: 'syncSource',
      summary: 'Look at the files of a source now',
      description: 'One process at a time syncs a source; a sync that runs is not started again.',
      params: sourcePath,
      errors: ['source_not_found', 'source_not_syncable', 'viewer_cannot_write'],
      response: { 202: sourceSync },
    }),
    async (request, reply) => reply.code(202).send(await sources(request.actor).startSync(request.params.source_id)),
  );

  app.get(
    `${path}/:source_id/sync/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'followSync',
        summary: 'Follow the syncs of a source (SSE)',
        description:
          '`sync` with the state and counts: first as they are, then after each change. The stream does not end by itself. Any process can serve it.',
        params: sourcePath,
        errors: ['source_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: sourceSyncEvent } } },
        },
      }),
    },
    async (request, reply) => {
      const { actor, params } = request;
      const get = () => pollInTurn(actor, () => sources(actor).sync(params.source_id));
      await sendEvents(reply, streams.stream(request, reply), (signal) => syncEvents(get, signal));
    },
  );

  app.delete(
    `${path}/:source_id`,
    operation({
      operationId: 'deleteSource',
      summary: 'Delete a source',
      description: 'Its documents and the collections built from it stay.',
      params: sourcePath,
      errors: ['viewer_cannot_write', 'source_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await sources(request.actor).delete(request.params.source_id);
      return reply.code(204).send();
    },
  );
};

/** The stream polls the record: another process may sync. */
const pollMs = 1_000;

async function* syncEvents(get: () => Promise<SourceSync>, signal: AbortSignal): AsyncGenerator<SourceSyncEvent> {
  let sent = '';
  while (!signal.aborted) {
    const sync = await get();
    const serialized = JSON.stringify(sync);
    if (serialized !== sent) yield { type: 'sync', sync };
    sent = serialized;
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
