import {
  DomainError,
  maxRoutes,
  type CreateRouteBody,
  type Document,
  type PatchRouteBody,
  type Route,
  type RouteSimulation,
  type RouteWhen,
  type SimulateRoutesBody,
} from '@docwright/contract';
import type { DocumentService, PageRepository } from '../documents/index.ts';
import { requireAdmin, type Actor } from '../identity/index.ts';
import { problemOfPattern } from '../schemas/index.ts';
import { judgeRoutes } from './judgement.ts';
import type { RouteRepository } from './route-repository.ts';
import { routeNotFound, textOf } from './routing-service.ts';

interface RouteServiceDependencies {
  routesOf: (organizationId: string) => RouteRepository;
  documents: (actor: Actor) => Pick<DocumentService, 'get' | 'list'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts'>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
}

/** The routes of one organization. Admins change them. Throws `route_not_found` for a missing id. */
export interface RouteService {
  list(page: {
    skip: number;
    limit: number;
  }): Promise<{ routes: Route[]; total_count: number; skip: number; limit: number }>;
  get(id: string): Promise<Route>;
  /** Throws `invalid_pattern`, `unknown_reference`, `too_many_routes`. */
  create(body: CreateRouteBody): Promise<Route>;
  update(id: string, change: PatchRouteBody): Promise<Route>;
  delete(id: string): Promise<void>;
  /** Throws `routes_incomplete` unless the ids are those of all routes. */
  order(ids: readonly string[]): Promise<{ routes: Route[] }>;
  /** Where documents would go. Writes nothing. */
  simulate(body: SimulateRoutesBody): Promise<RouteSimulation>;
}

export function createRouteService(dependencies: RouteServiceDependencies): (actor: Actor) => RouteService {
  const { routesOf, checkTags } = dependencies;
  return (actor) => {
    const routes = routesOf(actor.organizationId);
    const documents = dependencies.documents(actor);
    const pages = dependencies.pagesOf(actor.organizationId);

    async function check({ when, then }: Pick<PatchRouteBody, 'when' | 'then'>): Promise<void> {
      for (const pattern of patternsOf(when ?? {})) {
        const problem = problemOfPattern(pattern);
        if (problem !== undefined) throw new DomainError('invalid', 'invalid_pattern', problem);
      }
      await checkTags(actor.organizationId, then?.tag_ids ?? []);
    }

    async function chosenDocuments({ document_ids, filter, max_documents }: SimulateRoutesBody): Promise<Document[]> {
      if (document_ids === undefined) {
        return (await documents.list({ ...filter, skip: 0, limit: max_documents })).documents;
      }
      return await Promise.all([...new Set(document_ids)].map((id) => documents.get(id)));
    }

    return {
      async list({ skip, limit }) {
        const all = await routes.all();
        return { routes: all.slice(skip, skip + limit), total_count: all.length, skip, limit };
      },
      async get(id) {
        return orNotFound(await routes.get(id));
      },
      async create(body) {
        requireAdmin(actor);
        await check(body);
        if ((await routes.all()).length >= maxRoutes) {
          const message = `An organization has at most ${maxRoutes} routes. Delete one first.`;
          throw new DomainError('invalid', 'too_many_routes', message);
        }
        return await routes.create(body, actor.userId);
      },
      async update(id, change) {
        requireAdmin(actor);
        orNotFound(await routes.get(id));
        await check(change);
        return orNotFound(await routes.update(id, change));
      },
      async delete(id) {
        requireAdmin(actor);
        if (!(await routes.remove(id))) throw routeNotFound();
      },
      async order(ids) {
        requireAdmin(actor);
        const known = new Set((await routes.all()).map(({ id }) => id));
        const given = new Set(ids.map((id) => id.toLowerCase()));
        if (given.size !== ids.length || given.size !== known.size || known.difference(given).size > 0) {
          const message =
            'The order names each route of the organization once. List the routes and send all their ids.';
          throw new DomainError('invalid', 'routes_incomplete', message);
        }
        await routes.order([...given]);
        return { routes: await routes.all() };
      },
      async simulate(body) {
        for (const route of body.routes ?? []) await check(route);
        const judged = body.routes ?? (await routes.all());
        const simulated: RouteSimulation['documents'] = [];
        const counts = new Map<string, RouteSimulation['confusion'][number]>();
        for (const document of await chosenDocuments(body)) {
          const {
            routes: taken,
            why,
            then,
          } = judgeRoutes(judged, { document, text: await textOf(pages, document.id) });
          const state = taken.length > 0 ? ('routed' as const) : ('none' as const);
          const { id: document_id, document_name } = document;
          simulated.push({ document_id, document_name, state, routes: taken.map(({ name }) => name), why });
          const tag_ids = document.tag_ids.toSorted();
          const routed_tag_ids = (then.tag_ids ?? []).toSorted();
          const key = JSON.stringify([tag_ids, routed_tag_ids]);
          const before = counts.get(key) ?? { tag_ids, routed_tag_ids, count: 0 };
          counts.set(key, { ...before, count: before.count + 1 });
        }
        return { documents: simulated, confusion: [...counts.values()].toSorted((a, b) => b.count - a.count) };
      },
    };
  };
}

function patternsOf({ name_matches, metadata = {} }: RouteWhen): string[] {
  return [...(name_matches === undefined ? [] : [name_matches]), ...Object.values(metadata)];
}

function orNotFound(route: Route | undefined): Route {
  if (route === undefined) throw routeNotFound();
  return route;
}
