import { documentEvent, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { documentEvents } from './document-events.ts';
import type { DocumentServices } from './document-services.ts';

export const documentEventsRoutes: FastifyPluginAsyncZod<{ services: Pick<DocumentServices, 'documents'> }> = async (
  app,
  { services: { documents } },
) => {
  app.get(
    '/v0/orgs/:org_id/documents/:document_id/events',
    {
      sse: 'manual',
      schema: {
        tags: ['documents'],
        summary: 'Follow the state of a document (SSE)',
        description: `An event \`state\` at once and whenever state or progress changes, until the client goes or the document is deleted. Its data has ${Object.keys(documentEvent.shape).join(', ')}. While pages are recognised, \`ocr\` tells how many of them are done.`,
        params: z.object({ org_id: objectId, document_id: objectId }),
      },
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, app.closing]);
      let count = 0;
      for await (const event of documentEvents(documents(request.actor), request.params.document_id, signal)) {
        count += 1;
        await reply.sse.send({ id: String(count), event: event.type, data: event });
      }
    },
  );
};
