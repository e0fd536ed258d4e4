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
import type { DocumentService } from '../documents/index.ts';
import { requireAdmin, type Actor } from '../identity/index.ts';
import { compileLinearPattern, problemOfPattern } from '../schemas/index.ts';
import type { Judge } from './judge-document.ts';
import type { RouteRepository } from './route-repository.ts';
import type { RoutedDocumentRepository } from './routed-document-repository.ts';
import { pageOfItems, type PageEnd, type PageSelection } from '../../platform/database/page.ts';

/** In instructions of the engine. All routes of an organization are compared with each document. */
const maxProgramSize = 400;

interface RouteServiceDependencies {
  routesOf: (organizationId: string) => RouteRepository;
  documents: (actor: Actor) => Pick<DocumentService, 'get' | 'list'>;
  judge: Judge;
  routed: Pick<RoutedDocumentRepository, 'sourcesOf'>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  sourceExists: (organizationId: string, sourceId: string) => Promise<boolean>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
}

/** The routes of one organization. Admins change them. Throws `route_not_found` for a missing id. */
export type RouteService = ReturnType<ReturnType<typeof createRouteService>>;

export function createRouteService(dependencies: RouteServiceDependencies) {
  const { routesOf, checkTags, judge, routed, promptExists, sourceExists } = dependencies;
  return (actor: Actor) => {
    const routes = routesOf(actor.organizationId);
    const documentsOf = dependencies.documents(actor);

    async function check({ when, then }: Pick<PatchRouteBody, 'when' | 'then'>): Promise<void> {
      for (const pattern of patternsOf(when ?? {})) {
        const problem = problemOfPattern(pattern);
        if (problem !== undefined) throw new DomainError('invalid', 'invalid_pattern', problem);
        if (compileLinearPattern(pattern).programSize > maxProgramSize) {
          const message =
            'This pattern repeats too much to be compared with every document. Use smaller repeat counts.';
          throw new DomainError('invalid', 'invalid_pattern', message);
        }
      }
      await checkTags(actor.organizationId, then?.tag_ids ?? []);
      const promptId = when?.like?.prompt_id;
      if (promptId !== undefined && !(await promptExists(actor.organizationId, promptId))) {
        throw unknownReference(`There is no prompt ${promptId}. List the prompts and use an id from there.`);
      }
      const sourceId = when?.source_id;
      if (sourceId !== undefined && !(await sourceExists(actor.organizationId, sourceId))) {
        throw unknownReference(`There is no source ${sourceId}. List the sources and use an id from there.`);
      }
    }

    async function named(id: string): Promise<Document> {
      return await documentsOf.get(id).catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'document_not_found') throw error;
        throw unknownReference(`There is no document ${id}. List the documents and use an id from there.`);
      });
    }

    async function chosenDocuments({ document_ids, filter, max_documents }: SimulateRoutesBody): Promise<Document[]> {
      if (document_ids === undefined) {
        await checkTags(actor.organizationId, filter?.tag_ids ?? []);
        return (await documentsOf.list({ ...filter, skip: 0, limit: max_documents })).documents;
      }
      return await Promise.all([...new Set(document_ids)].map(named));
    }

    return {
      async list(page: PageSelection): Promise<{ routes: Route[]; skip: number; limit: number } & PageEnd> {
        const { items, end } = pageOfItems(await routes.all(), page, ({ id }) => id);
        return { routes: items, ...end, skip: page.skip, limit: page.limit };
      },
      async get(id: string): Promise<Route> {
        return orNotFound(await routes.get(id));
      },
      /** Throws `invalid_pattern`, `unknown_reference`, `too_many_routes`. */
      async create(body: CreateRouteBody): Promise<Route> {
        requireAdmin(actor);
        await check(body);
        if ((await routes.all()).length >= maxRoutes) {
          const message = `An organization has at most ${maxRoutes} routes. Delete one first.`;
          throw new DomainError('invalid', 'too_many_routes', message);
        }
        return await routes.create(body, actor.userId);
      },
      async update(id: string, change: PatchRouteBody): Promise<Route> {
        requireAdmin(actor);
        orNotFound(await routes.get(id));
        await check(change);
        return orNotFound(await routes.update(id, change));
      },
      async delete(id: string): Promise<void> {
        requireAdmin(actor);
        if (!(await routes.remove(id))) throw routeNotFound();
      },
      /** Throws `routes_incomplete` unless the ids are those of all routes. */
      async order(ids: readonly string[]): Promise<{ routes: Route[] }> {
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
      /** Where documents would go. Writes nothing. */
      async simulate(body: SimulateRoutesBody): Promise<RouteSimulation> {
        for (const route of body.routes ?? []) await check(route);
        const judged: (CreateRouteBody & { id?: string })[] = body.routes ?? (await routes.all());
        const simulated: RouteSimulation['documents'] = [];
        const counts = new Map<string, RouteSimulation['confusion'][number]>();
        const documents = await chosenDocuments(body);
        const sources = await routed.sourcesOf(
          actor.organizationId,
          documents.map(({ id }) => id),
        );
        const facts = documents.map((document) => ({ document, sourceId: sources.get(document.id) }));
        const unasked = [];
        for (const each of facts) unasked.push(await judge(actor, judged, each, false));
        const requests = unasked.filter((each) => each.unasked !== undefined);
        if (requests.length > 0 && body.confirm !== true) {
          const spu_estimated = requests.reduce((sum, { unasked: cost }) => sum + (cost?.spu_estimated ?? 0), 0);
          throw new DomainError(
            'conflict',
            'confirm_required',
            `A model would be asked about ${requests.length} documents, for about ${spu_estimated} SPU. Repeat the request with "confirm": true.`,
            { requests: requests.length, spu_estimated },
          );
        }
        for (const [index, { document, sourceId }] of facts.entries()) {
          const first = unasked[index]!;
          const {
            routes: taken,
            state,
            why,
            then,
            candidates,
          } = first.unasked === undefined ? first : await judge(actor, judged, { document, sourceId });
          const { id: document_id, document_name } = document;
          simulated.push({
            document_id,
            document_name,
            state,
            routes: taken.map(({ name }) => name),
            why,
            ...(candidates.length > 0 && { candidates: candidates.map(({ route }) => route.name) }),
          });
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

function unknownReference(message: string): DomainError {
  return new DomainError('invalid', 'unknown_reference', message);
}

function routeNotFound(): DomainError {
  const message = 'There is no such route. List the routes and use an id from there.';
  return new DomainError('not_found', 'route_not_found', message);
}

function orNotFound(route: Route | undefined): Route {
  if (route === undefined) throw routeNotFound();
  return route;
}
