import type { FastifyPluginAsync } from 'fastify';
import type { Document } from '@docwright/contract';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { DocumentServices } from './document-services.ts';

export const documentRoutes: FastifyPluginAsync<{
  services: Pick<DocumentServices, 'documents'>;
  /** Adds the log of the document's automatic proposal. */
  withLog: (actor: Actor, document: Document) => Promise<Document>;
}> = async (app, { services: { documents }, withLog }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/documents', ({ actor, query }) => documents(actor).list(query));

  route('GET /v0/orgs/:org_id/documents/:document_id', async ({ actor, params }) => {
    const service = documents(actor);
    const [found] = await service.withResults([await service.get(params.document_id)]);
    return await withLog(actor, found!);
  });

  route('PATCH /v0/orgs/:org_id/documents/:document_id', ({ actor, params, body }) =>
    documents(actor).update(params.document_id, body),
  );
  route('DELETE /v0/orgs/:org_id/documents/:document_id', async ({ actor, params }) => {
    await documents(actor).delete(params.document_id);
  });

  route('GET /v0/orgs/:org_id/documents/:document_id/text', async ({ actor, params, query }) => {
    const pages = await documents(actor).texts(params.document_id, query.page_num);
    return { pages };
  });

  route('GET /v0/orgs/:org_id/documents/:document_id/words', ({ actor, params, query }) =>
    documents(actor).words(params.document_id, query.page_num ?? 1),
  );
};
