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
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { RunService } from './run-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const tags = ['runs'];
const listPath = z.object({ org_id: objectId });
const runPath = listPath.extend({ run_id: objectId });
const path = '/v0/orgs/:org_id/runs';
const who =
  'Everybody in the organization sees the runs of schedules; of the others, admins all and everybody else their own.';

export const runRoutes: FastifyPluginAsyncZod<{
  services: { runs: (actor: Actor) => RunService };
  streams: StreamAdmission;
}> = async (app, { services: { runs }, streams }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listRuns',
        summary: 'List runs',
        description: `The newest first. ${who}`,
        params: listPath,
        querystring: runListQuery,
        response: { 200: runList },
      },
    },
    async (request) => runs(request.actor).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createRun',
        summary: 'Chat with documents without watching',
        description:
          'For admins and members. Starts a chat with each document of `document_ids`, or with those that `filter` finds, the oldest first, 1,000 at most; each with `message` as its first and only one, in the name of who asks. Tools that only read run; of those that write, the ones in `auto_approved_tools`; a call that would need a decision or an answer is denied at once, and permission rules hold as in the chat. Nothing is waited for: the answer is the run as it begins. Each document has a time limit (`HEADLESS_TIMEOUT_SECONDS`), and one that is slow or fails holds up none of the others.',
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
      },
    },
    async (request, reply) => reply.code(201).send(await runs(request.actor).create(request.body)),
  );

  app.post(
    `${path}/matching`,
    {
      schema: {
        tags,
        operationId: 'countMatchingDocuments',
        summary: 'Count the documents that a run would find',
        description:
          'Starts nothing. `matched` documents match `filter` now; a run would work through `total` of them, `max_documents` (1,000 without it) at most. With `prompt_id`, `without_result` asks for those without an extraction of that prompt.',
        params: listPath,
        body: matchingDocumentsBody.meta({ examples: [{ filter: { name_search: 'invoice', without_result: true } }] }),
        errors: ['unknown_reference'],
        response: { 200: matchingDocuments },
      },
    },
    async (request) => runs(request.actor).matching(request.body),
  );

  app.get(
    `${path}/:run_id`,
    {
      schema: {
        tags,
        operationId: 'getRun',
        summary: 'Get a run',
        description: who,
        params: runPath,
        errors: ['run_not_found'],
        response: { 200: run },
      },
    },
    async (request) => runs(request.actor).get(request.params.run_id),
  );

  app.get(
    `${path}/:run_id/documents`,
    {
      schema: {
        tags,
        operationId: 'listRunDocuments',
        summary: 'List the result of each document of a run',
        description: 'Documents that could not be queued come first, then the others in the order of the queue.',
        params: runPath,
        querystring: runDocumentListQuery,
        errors: ['run_not_found'],
        response: { 200: runDocumentList },
      },
    },
    async (request) => runs(request.actor).documents(request.params.run_id, request.query),
  );

  app.post(
    `${path}/:run_id/stop`,
    {
      schema: {
        tags,
        operationId: 'stopRun',
        summary: 'Stop a run',
        description:
          'For who asked for it, who made its schedule, and admins. Documents that wait are cancelled at once, those that are worked on at their next safe point; calls that wait for a decision are withdrawn, also of a run that has ended otherwise; the run is `stopped` when the last of them has ended. What is done stays.',
        params: runPath,
        errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_ended'],
        response: { 200: run },
      },
    },
    async (request) => runs(request.actor).stop(request.params.run_id),
  );

  app.post(
    `${path}/:run_id/undo`,
    {
      schema: {
        tags,
        operationId: 'undoRun',
        summary: 'Undo a run',
        description:
          'For who asked for it, who made its schedule, and admins. A worker takes back what every document of the run wrote, the newest first, each document as a whole or not at all; calls that wait are withdrawn. `undo` of the run tells how far it is, as do its events. What others have changed since is left alone and named in `conflicts`; undoing again finishes what is left. Offered for 30 days.',
        params: runPath,
        errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_not_ended', 'undo_expired'],
        response: { 202: run },
      },
    },
    async (request, reply) => reply.code(202).send(await runs(request.actor).undo(request.params.run_id)),
  );

  app.get(
    `${path}/:run_id/events`,
    {
      sse: 'manual',
      schema: {
        tags,
        operationId: 'followRun',
        summary: 'Follow a run (SSE)',
        description:
          'First `run` with all that is known, then `document` for each document that is or was worked on and whenever that changes, `run` when the counts or the state do or its undo goes on, and `done` with the run once it has ended and no undo goes, after which the stream ends. A stream that was cut begins anew with how things stand. Any process serves it, whichever works on the run.',
        errors: ['run_not_found', 'too_many_streams'],
        params: runPath,
        response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: runEvent } } } },
      },
    },
    async (request, reply) => {
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        runEvents(runs(request.actor), request.params.run_id, signal),
      );
    },
  );
};

/** Between two looks: the records are the only thing that all processes share. */
const pollMs = 500;
const pageSize = 100;

/**
 * How a run stands now, every change of it and of its documents, and its end, until `signal` aborts.
 * Throws `run_not_found` before the first event if the run does not exist.
 */
async function* runEvents(
  service: Pick<RunService, 'get' | 'documents'>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const told = new Map<string, string>();
  let sent = '';
  while (!signal.aborted) {
    const run = await service.get(id);
    const written = JSON.stringify(run);
    if (written !== sent) {
      const first = sent === '';
      sent = written;
      if (first) yield { type: 'run', run };
      for await (const document of changed(service, id, told)) yield { type: 'document', run_id: id, document };
      if (!first) yield { type: 'run', run };
    }
    // What was decided after the run's end is still being carried out.
    const isWorking = run.waiting + run.running > run.parked;
    if (run.ended_at !== null && !isWorking && run.undo?.state !== 'running') {
      yield { type: 'done', run };
      return;
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Documents that are no longer as `told` has them, which it is brought up to date with. */
async function* changed(
  service: Pick<RunService, 'documents'>,
  id: string,
  told: Map<string, string>,
): AsyncGenerator<RunDocument> {
  for (let skip = 0; ; skip += pageSize) {
    const { documents, total_count } = await service.documents(id, { skip, limit: pageSize });
    for (const document of documents) {
      const written = JSON.stringify(document);
      const waits = document.state === 'queued' && !told.has(document.document_id);
      if (waits || told.get(document.document_id) === written) continue;
      told.set(document.document_id, written);
      yield document;
    }
    if (skip + pageSize >= total_count) return;
  }
}
