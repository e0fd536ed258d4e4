import type { FastifyPluginAsync } from 'fastify';
import type { RunDocument, RunEvent } from '@docwright/contract';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { RunService } from './run-service.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export const runRoutes: FastifyPluginAsync<{
  services: { runs: (actor: Actor) => RunService };
  streams: StreamAdmission;
}> = async (app, { services: { runs }, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/runs', ({ actor, query }) => runs(actor).list(query));
  route('POST /v0/orgs/:org_id/runs', ({ actor, body }) => runs(actor).create(body));
  route('POST /v0/orgs/:org_id/runs/matching', ({ actor, body }) => runs(actor).matching(body));
  route('GET /v0/orgs/:org_id/runs/:run_id', ({ actor, params }) => runs(actor).get(params.run_id));
  route('GET /v0/orgs/:org_id/runs/:run_id/documents', ({ actor, params, query }) =>
    runs(actor).documents(params.run_id, query),
  );
  route('POST /v0/orgs/:org_id/runs/:run_id/stop', ({ actor, params }) => runs(actor).stop(params.run_id));
  route('POST /v0/orgs/:org_id/runs/:run_id/undo', ({ actor, params }) => runs(actor).undo(params.run_id));

  route('GET /v0/orgs/:org_id/runs/:run_id/events', { sse: 'manual' }, async (request, reply) => {
    const service = runs(request.actor);
    const polled: Pick<RunService, 'get' | 'documents'> = {
      get: (...args) => pollInTurn(request.actor, () => service.get(...args)),
      documents: (...args) => pollInTurn(request.actor, () => service.documents(...args)),
    };
    await sendEvents(reply, streams.stream(request, reply), (signal) =>
      runEvents(polled, request.params.run_id, signal),
    );
  });
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
