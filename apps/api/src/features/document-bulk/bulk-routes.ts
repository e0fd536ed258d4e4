import {
  bulkEstimate,
  createDocumentBulkBody,
  documentBulk,
  documentBulkEvent,
  documentBulkList,
  documentBulkListQuery,
  estimateDocumentBulkBody,
  maxBulkDocuments,
  maxModelBulkDocuments,
  objectId,
  trashDays,
  type DocumentBulkEvent,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pollInTurn } from '../../platform/places/polls.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import type { EstimateBulk } from './bulk-estimate-service.ts';
import { requireSelection, type BulkService } from './bulk-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const operation = operationsOf('bulk jobs');
const listPath = z.object({ org_id: objectId });
const bulkPath = listPath.extend({ bulk_id: objectId });
const path = '/v0/orgs/:org_id/documents/bulk';

export const bulkRoutes: FastifyPluginAsyncZod<{
  services: { documentBulk: (actor: Actor) => BulkService; estimateBulk: (actor: Actor) => EstimateBulk };
  streams: StreamAdmission;
}> = async (app, { services, streams }) => {
  const jobs = services.documentBulk;

  app.post(
    path,
    operation({
      operationId: 'createDocumentBulk',
      summary: 'Run one action on many documents',
      description: `Creates one job for the documents of \`document_ids\`, or for all documents that match \`query\`: the query of the document list (\`name_search\`, \`tag_ids\`, \`state\`, \`sort\`, \`order\`; \`{}\` matches all), or of the trash for \`restore\` and \`purge\`. The documents are chosen now; later ones are not touched. \`expected_count\` is the number that was shown to the user: if another number matches, nothing is done (409 \`selection_changed\`, with \`details.count\`). \`purge\` with a \`query\` needs it.

- \`tag\`, \`untag\`: add or remove \`tag_ids\`
- \`delete\`: moves documents to the trash for ${trashDays} days; \`restore\`: restores them; \`purge\`: removes documents in the trash for good
- \`extract\`: uses the current revision of \`prompt_id\`, or each document's own prompt, but not that of a proposal that waits for a decision (\`…/bulk/estimate\` shows both and the cost; with \`only_estimated\`, documents without a prompt are left out instead of failing). An edited or verified result is never replaced: its document is counted in \`skipped\`
- \`auto_create\`: makes the agent propose a schema, a prompt and an extraction; \`message\` replaces its first message
- \`message\`: sends \`message\` to the agent of each document; of the tools that write, those in \`auto_approved_tools\` run

The last three are runs (\`run_id\`) and accept ${maxModelBulkDocuments} documents at most, the others ${maxBulkDocuments}. The answer is the job as it starts; \`…/bulk/{bulk_id}/events\` sends its progress.`,
      params: listPath,
      body: createDocumentBulkBody.meta({
        examples: [
          { query: { name_search: 'letter', sort: 'document_name' }, action: 'delete', expected_count: 212 },
          {
            document_ids: ['6650f1c2a4b3d2e1f0a9b8c7'],
            action: 'tag',
            tag_ids: ['6650f1c2a4b3d2e1f0a9b8c8'],
          },
        ],
      }),
      errors: [
        'action_fields',
        'confirm_required',
        'documents_needed',
        'model_not_enabled',
        'too_many_documents',
        'unknown_reference',
        'unknown_tool',
        'viewer_cannot_write',
        'selection_changed',
        'too_many_bulk_jobs',
        'too_many_runs',
      ],
      response: { 201: documentBulk },
    }),
    async (request, reply) => reply.code(201).send(await jobs(request.actor).create(request.body)),
  );

  app.post(
    `${path}/estimate`,
    operation({
      operationId: 'estimateDocumentBulk',
      summary: 'Estimate an extraction or a preparation of many documents',
      description:
        'Nothing runs. Says which prompt each document of an `extract` would use, what that costs, and how many documents would have none. The prompt of a proposal that waits for a decision runs only if `prompt_id` names it. With the action `auto_create`, `prepared` says what the agent would prepare, and the cost as that of the last preparations.',
      params: listPath,
      body: estimateDocumentBulkBody.meta({ examples: [{ query: { name_search: 'letter' } }] }),
      errors: ['documents_needed', 'too_many_documents', 'unknown_reference'],
      response: { 200: bulkEstimate },
    }),
    async (request) => {
      requireSelection(request.body);
      return await services.estimateBulk(request.actor)(request.body);
    },
  );

  app.get(
    path,
    operation({
      operationId: 'listDocumentBulks',
      summary: 'List bulk jobs, newest first',
      description: 'Lists the caller’s own jobs; admins see all. Jobs are kept for 90 days.',
      params: listPath,
      querystring: documentBulkListQuery,
      response: { 200: documentBulkList },
    }),
    (request) => jobs(request.actor).list(request.query),
  );

  app.get(
    `${path}/:bulk_id`,
    operation({
      operationId: 'getDocumentBulk',
      summary: 'Get a bulk job',
      params: bulkPath,
      errors: ['bulk_not_found'],
      response: { 200: documentBulk },
    }),
    (request) => jobs(request.actor).get(request.params.bulk_id),
  );

  app.get(
    `${path}/:bulk_id/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'followDocumentBulk',
        summary: 'Follow a bulk job (SSE)',
        description:
          'Sends an event `bulk` at once and with each change, and `done` at the end, both with the job under `bulk`. While the job is being undone the stream follows the undo.',
        params: bulkPath,
        errors: ['bulk_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: documentBulkEvent } } },
        },
      }),
    },
    async (request, reply) => {
      const service = jobs(request.actor);
      const polled = { get: (id: string) => pollInTurn(request.actor, () => service.get(id)) };
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        bulkEvents(polled, request.params.bulk_id, signal),
      );
    },
  );

  app.post(
    `${path}/:bulk_id/stop`,
    operation({
      operationId: 'stopDocumentBulk',
      summary: 'Stop a bulk job',
      description: 'It ends after the documents in progress. Changes so far stay and can be undone.',
      params: bulkPath,
      errors: ['viewer_cannot_write', 'bulk_not_found', 'bulk_ended', 'run_ended'],
      response: { 200: documentBulk },
    }),
    (request) => jobs(request.actor).stop(request.params.bulk_id),
  );

  app.post(
    `${path}/:bulk_id/undo`,
    operation({
      operationId: 'undoDocumentBulk',
      summary: 'Undo a bulk job',
      description: `Possible within ${trashDays} days of its end: removes added tags, adds removed tags, restores deleted documents, and moves restored documents back to the trash. Documents that the job did not change stay as they are, as do later changes by users. Answers at once; \`undo\` of the job and \`…/events\` have the progress. Conflicts are in \`undo.conflicts\`; undoing again retries them. A job that is a run (\`run_id\`) is undone like its run. A \`purge\` cannot be undone.`,
      params: bulkPath,
      errors: [
        'viewer_cannot_write',
        'bulk_not_found',
        'bulk_active',
        'bulk_not_undoable',
        'undo_expired',
        'run_not_ended',
        'not_yours',
        'run_not_found',
      ],
      response: { 202: documentBulk },
    }),
    async (request, reply) => reply.code(202).send(await jobs(request.actor).undo(request.params.bulk_id)),
  );
};

const pollMs = 300;

/**
 * Yields a bulk job now and after every change, until it or its undo ends or `signal` aborts. Polls the record, which
 * shows the progress of any process. Throws `bulk_not_found` if the job does not exist.
 */
async function* bulkEvents(
  service: Pick<BulkService, 'get'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<DocumentBulkEvent> {
  let sent = '';
  while (!signal.aborted) {
    const bulk = await service.get(id);
    const text = JSON.stringify(bulk);
    if (text !== sent) yield { type: 'bulk', bulk };
    sent = text;
    if (bulk.ended_at !== null && bulk.undo?.state !== 'running') {
      yield { type: 'done', bulk };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
