import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { CollectionService } from './collection-service.ts';
import type { SearchService } from './search-service.ts';

interface Services {
  collections: (actor: Actor) => CollectionService;
  search: (actor: Actor) => SearchService;
}

/** Collections, which are created by applying a pipeline. */
export const collectionRoutes: FastifyPluginAsync<{ services: Services }> = async (
  app,
  { services: { collections, search } },
) => {
  const route = routesOf(app);
  route('GET /api/v2/collections', ({ actor, query }) => collections(actor).list(query));
  route('GET /api/v2/collections/:collection_id', ({ actor, params }) => collections(actor).get(params.collection_id));
  route('POST /api/v2/collections/:collection_id/search', ({ actor, params, body }) =>
    search(actor)(params.collection_id, body),
  );
  route('POST /api/v2/collections/:collection_id/update', ({ actor, params }) =>
    collections(actor).update(params.collection_id),
  );
  route('POST /api/v2/collections/:collection_id/stop', ({ actor, params }) =>
    collections(actor).stop(params.collection_id),
  );
  route('DELETE /api/v2/collections/:collection_id', ({ actor, params }) =>
    collections(actor).delete(params.collection_id),
  );
};
