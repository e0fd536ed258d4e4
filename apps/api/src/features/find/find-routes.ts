import { findQuery, foundPlaces, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { ContentSearch } from './content-search-repository.ts';

const operation = operationsOf('documents');

interface FindRouteOptions {
  contentSearchOf: (organizationId: string) => ContentSearch;
}

export const findRoutes: FastifyPluginAsyncZod<FindRouteOptions> = async (app, { contentSearchOf }) => {
  app.get(
    '/v0/orgs/:org_id/find',
    operation({
      operationId: 'findDocuments',
      summary: 'Find documents by name, words on their pages, and extracted values',
      description:
        'All words of `q` must be in the name (any part of it), in the values of one result, or on one page. Case, accents and Unicode forms are ignored, and `ß` equals `ss`. Words of values are also found by their beginning, from three characters on. `limit` is the maximum number of each kind; a document is listed once for each kind. Documents in the trash are not found.',
      params: z.object({ org_id: objectId }),
      querystring: findQuery,
      response: { 200: foundPlaces },
    }),
    async (request) => ({ places: await contentSearchOf(request.actor.organizationId).find(request.query) }),
  );
};
