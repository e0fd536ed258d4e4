import { documentEvent, documentListEvent, documentListQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { pollInTurn } from '../../platform/places/polls.ts';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import { documentEvents, documentListEvents } from './document-events.ts';
import type { DocumentServices } from './document-services.ts';

const operation = operationsOf('documents');

export const documentEventsRoutes: FastifyPluginAsyncZod<{
  services: Pick<DocumentServices, 'documents'>;
  extractionChanges: (actor: Actor, documentId: string) => Promise<number>;
  streams: StreamAdmission;
}> = async (app, { services: { documents }, extractionChanges, streams }) => {
  app.get(
    '/v0/orgs/:org_id/documents/events',
    {
      sse: 'manual',
      ...operation({
        operationId: 'followDocuments',
        summary: 'Follow a page of the list of documents (SSE)',
        description:
          'Takes the query of the list. Sends an event `changed` at once and whenever the answer to the query changes: read the list again then. Its data has the `total_count` of the query.',
        errors: ['too_many_streams'],
        params: z.object({ org_id: objectId }),
        querystring: documentListQuery,
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: documentListEvent } } },
        },
      }),
    },
    async (request, reply) => {
      const { actor, query } = request;
      const service = documents(actor);
      const polled = { list: (listed: typeof query) => pollInTurn(actor, () => service.list(listed)) };
      await sendEvents(reply, streams.stream(request, reply), (signal) => documentListEvents(polled, query, signal));
    },
  );

  app.get(
    '/v0/orgs/:org_id/documents/:document_id/events',
    {
      sse: 'manual',
      ...operation({
        operationId: 'followDocument',
        summary: 'Follow the state of a document (SSE)',
        description: `Sends an event \`state\` at once and whenever state, progress, results, name, tags or metadata change, until the client disconnects or the document is deleted. Its data has ${Object.keys(documentEvent.shape).join(', ')}. While pages are recognised, \`ocr\` has their progress. A new \`extraction_changes\` means that results have changed; a new \`review_changes\` that their values to check were counted again; a new \`document_changes\` that name, tags or metadata have.`,
        errors: ['document_not_found', 'too_many_streams'],
        params: z.object({ org_id: objectId, document_id: objectId }),
        response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: documentEvent } } } },
      }),
    },
    async (request, reply) => {
      const { actor } = request;
      const followed = {
        progress: (id: string) => pollInTurn(actor, () => documents(actor).progress(id)),
        extractionChanges: (id: string) => extractionChanges(actor, id),
      };
      await sendEvents(reply, streams.stream(request, reply), (signal) =>
        documentEvents(followed, request.params.document_id, signal),
      );
    },
  );
};
