import {
  createRunBody,
  matchingDocuments,
  matchingDocumentsBody,
  objectId,
  run,
  runEvent,
  runDocumentList,
  runDocumentListQuery,
  runList,
  runListQuery,
  type RunDocument,
  type RunEvent,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { pollInTurn } from '../../platform/places/polls.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { RunService } from './run-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const operation = operationsOf('runs');
const listPath = z.object({ org_id: objectId });
const runPath = listPath.extend({ run_id: objectId });
const path = '/v0/orgs/:org_id/runs';
const visibility =
  'All members of the organization see the runs of schedules. Other runs are visible to their requester and to admins.';

export const runRoutes: FastifyPluginAsyncZod<{
  services: { runs: (actor: Actor) => RunService };
  streams: StreamAdmission;
}> = async (app, { services: { runs }, streams }) => {
  app.get(
    path,
    operation({
      operationId: 'listRuns',
      summary: 'List runs',
      description: `Newest first. ${visibility}`,
      params: listPath,
      querystring: runListQuery,
      response: { 200: runList },
    }),
    async (request) => runs(request.actor).list(request.query),
  );

  app.post(
    path,
    operation({
      operationId: 'createRun',
      summary: 'Chat with many documents in the background',
      description:
        'For admins and members. Starts a chat with each document of `document_ids`, or with those that match `filter`, oldest first, 1,000 at most. Each chat has `message` as its only message and runs in the name of the caller. Read-only tools run; tools that write run if they are listed in `auto_approved_tools`. A call that needs a decision or an answer is denied at once, and permission rules apply as in the chat. The response is the started run. Each document has a time limit (`HEADLESS_TIMEOUT_SECONDS`); a slow or failed document does not delay the others.',
      params: listPath,
      body: createRunBody.meta({
        examples: [
          {
            filter: { tag_ids: ['6650f1c2a4b3d2e1f0a9b8c7'], without_result: true },
            message: 'Extract this invoice.',
            auto_approved_tools: ['run_extraction'],
          },
        ],
      }),
      errors: [
        'documents_needed',
        'model_not_enabled',
        'unknown_reference',
        'unknown_tool',
        'viewer_cannot_write',
        'too_many_runs',
      ],
      response: { 201: run },
    }),
    async (request, reply) => reply.code(201).send(await runs(request.actor).create(request.body)),
  );

  app.post(
    `${path}/matching`,
    operation({
      operationId: 'countMatchingDocuments',
      summary: 'Count the documents that a run would process',
      description:
        'Starts nothing. `matched` documents match `filter` now; a run would process `total` of them, at most `max_documents` (default: 1,000). With `prompt_id`, `without_result` selects documents without an extraction of that prompt.',
      params: listPath,
      body: matchingDocumentsBody.meta({ examples: [{ filter: { name_search: 'invoice', without_result: true } }] }),
      errors: ['unknown_reference'],
      response: { 200: matchingDocuments },
    }),
    async (request) => runs(request.actor).matching(request.body),
  );

  app.get(
    `${path}/:run_id`,
    operation({
      operationId: 'getRun',
      summary: 'Get a run',
      description: visibility,
      params: runPath,
      errors: ['run_not_found'],
      response: { 200: run },
    }),
    async (request) => runs(request.actor).get(request.params.run_id),
  );

  app.get(
    `${path}/:run_id/documents`,
    operation({
      operationId: 'listRunDocuments',
      summary: 'List the result of each document of a run',
      description: 'Documents that could not be queued come first, then the others in the order of the queue.',
      params: runPath,
      querystring: runDocumentListQuery,
      errors: ['run_not_found'],
      response: { 200: runDocumentList },
    }),
    async (request) => runs(request.actor).documents(request.params.run_id, request.query),
  );

  app.post(
    `${path}/:run_id/stop`,
    operation({
      operationId: 'stopRun',
      summary: 'Stop a run',
      description:
        'For its requester, the creator of its schedule, and admins. Queued documents are cancelled at once, running ones at their next safe point. Calls that wait for a decision are withdrawn, also if the run has ended already. The run is `stopped` when its last document has ended. Finished work stays.',
      params: runPath,
      errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_ended'],
      response: { 200: run },
    }),
    async (request) => runs(request.actor).stop(request.params.run_id),
  );

  app.post(
    `${path}/:run_id/undo`,
    operation({
      operationId: 'undoRun',
      summary: 'Undo a run',
      description:
        'For its requester, the creator of its schedule, and admins, within 30 days. A worker undoes the writes of each document of the run, newest first, all or nothing for each document; pending calls are withdrawn. `undo` of the run and its events report the progress. Records that others have changed since stay and are listed in `conflicts`; a repeated undo tries them again.',
      params: runPath,
      errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_not_ended', 'undo_expired'],
      response: { 202: run },
    }),
    async (request, reply) => reply.code(202).send(await runs(request.actor).undo(request.params.run_id)),
  );

  app.get(
    `${path}/:run_id/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'followRun',
        summary: 'Follow a run (SSE)',
        description:
          'First `run` with its current state, then `document` for each started document and each of its changes, `run` for each change of the counts, the state or the undo, and `done` with the run when it has ended and no undo is running; then the stream ends. After a reconnect, the stream starts again with the current state. Any process can serve it.',
        errors: ['run_not_found', 'too_many_streams'],
        params: runPath,
        response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: runEvent } } } },
      }),
    },
    async (request, reply) => {
      const service = runs(request.actor);
      const polled: Pick<RunService, 'get' | 'documents'> = {
        get: (...args) => pollInTurn(request.actor, () => service.get(...args)),
        documents: (...args) => pollInTurn(request.actor, () => service.documents(...args)),
      };
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        runEvents(polled, request.params.run_id, signal),
      );
    },
  );
};

/** The stream polls the records: other processes work on the run. */
const pollMs = 500;
const pageSize = 100;

/**
 * The current state of a run, each change of it and of its documents, and its end, until `signal` aborts.
 * Throws `run_not_found` before the first event if the run does not exist.
 */
async function* runEvents(
  service: Pick<RunService, 'get' | 'documents'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const sentDocuments = new Map<string, string>();
  let sentRun = '';
  while (!signal.aborted) {
    const run = await service.get(id);
    const serialized = JSON.stringify(run);
    if (serialized !== sentRun) {
      const isFirst = sentRun === '';
      sentRun = serialized;
      if (isFirst) yield { type: 'run', run };
      for await (const document of changedDocuments(service, id, sentDocuments)) {
        yield { type: 'document', run_id: id, document };
      }
      if (!isFirst) yield { type: 'run', run };
    }
    // Decisions after the run's end are still carried out.
    const isWorking = run.waiting + run.running > run.parked;
    if (run.ended_at !== null && !isWorking && run.undo?.state !== 'running') {
      yield { type: 'done', run };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The documents that differ from `sent`, which is updated. Queued documents are omitted until they start. */
async function* changedDocuments(
  service: Pick<RunService, 'documents'>,
  id: string,
  sent: Map<string, string>,
): AsyncGenerator<RunDocument> {
  for (let skip = 0; ; skip += pageSize) {
    const { documents, total_count } = await service.documents(id, { skip, limit: pageSize });
    for (const document of documents) {
      const serialized = JSON.stringify(document);
      const isUnstarted = document.state === 'queued' && !sent.has(document.document_id);
      if (isUnstarted || sent.get(document.document_id) === serialized) continue;
      sent.set(document.document_id, serialized);
      yield document;
    }
    if (skip + pageSize >= total_count) return;
  }
}
