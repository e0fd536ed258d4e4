import { document, objectId, trashDays, trashList, trashListQuery } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { Actor } from '../../identity/index.ts';
import type { TrashService } from './trash-service.ts';

const operation = operationsOf('trash');
const listPath = z.object({ org_id: objectId });
const documentPath = listPath.extend({ document_id: objectId });

export const trashRoutes: FastifyPluginAsyncZod<{ services: { trash: (actor: Actor) => TrashService } }> = async (
  app,
  { services: { trash } },
) => {
  app.get(
    '/v0/orgs/:org_id/documents/trash',
    operation({
      operationId: 'listTrash',
      summary: 'List deleted documents, last deleted first by default',
      description: `Documents that users and agents deleted within ${trashDays} days, with the user who deleted them and the time of their final removal. No other list shows them.`,
      params: listPath,
      querystring: trashListQuery,
      errors: ['cursor_not_valid'],
      response: { 200: trashList },
    }),
    (request) => trash(request.actor).list(request.query),
  );

  app.post(
    '/v0/orgs/:org_id/documents/:document_id/restore',
    operation({
      operationId: 'restoreDocument',
      summary: 'Restore a document from the trash',
      description:
        'Restores its text, results, conversations and tags, except for tags that were deleted meanwhile. To restore many at once, use the action `restore` of `POST …/documents/bulk`.',
      params: documentPath,
      errors: ['viewer_cannot_write', 'document_not_found'],
      response: { 200: document },
    }),
    (request) => trash(request.actor).restore(request.params.document_id),
  );

  app.delete(
    '/v0/orgs/:org_id/documents/trash/:document_id',
    operation({
      operationId: 'purgeDocument',
      summary: 'Remove a document in the trash for good',
      description:
        'Removes everything that belongs to it. This cannot be undone. To empty the trash, use the action `purge` of `POST …/documents/bulk` with an empty `query`.',
      params: documentPath,
      errors: ['viewer_cannot_write', 'document_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await trash(request.actor).purge(request.params.document_id);
      return reply.code(204).send();
    },
  );
};
