import type { FastifyPluginAsync } from 'fastify';
import { pollInTurn } from '../../platform/places/polls.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import { documentEvents, documentListEvents } from './document-events.ts';
import type { DocumentServices } from './document-services.ts';

export const documentEventsRoutes: FastifyPluginAsync<{
  services: Pick<DocumentServices, 'documents'>;
  extractionChanges: (actor: Actor, documentId: string) => Promise<number>;
  streams: StreamAdmission;
}> = async (app, { services: { documents }, extractionChanges, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/documents/events', { sse: 'manual' }, async (request, reply) => {
    const { actor, query } = request;
    const service = documents(actor);
    const polled = { list: (listed: typeof query) => pollInTurn(actor, () => service.list(listed)) };
    await sendEvents(reply, streams.stream(request, reply), (signal) => documentListEvents(polled, query, signal));
  });

  route('GET /v0/orgs/:org_id/documents/:document_id/events', { sse: 'manual' }, async (request, reply) => {
    const { actor } = request;
    const followed = {
      progress: (id: string) => pollInTurn(actor, () => documents(actor).progress(id)),
      extractionChanges: (id: string) => extractionChanges(actor, id),
    };
    await sendEvents(reply, streams.stream(request, reply), (signal) =>
      documentEvents(followed, request.params.document_id, signal),
    );
  });
};
