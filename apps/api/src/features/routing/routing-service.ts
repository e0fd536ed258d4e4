import { DomainError, type Document, type DocumentRouting, type Route } from '@docwright/contract';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { DocumentService } from '../documents/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { ArrivalSplit } from './arrival-split.ts';
import { judgeRoutes, type Judgement } from './judgement.ts';
import type { Judge } from './judge-document.ts';
import type { RoutedDocumentRepository } from './routed-document-repository.ts';
import type { RouteRepository } from './route-repository.ts';

interface RoutingDependencies {
  routesOf: (organizationId: string) => Pick<RouteRepository, 'all' | 'get'>;
  routed: RoutedDocumentRepository;
  judge: Judge;
  arrivalSplit: ArrivalSplit;
  documents: (actor: Actor) => Pick<DocumentService, 'get' | 'update'>;
  /** Returns the ids that are not tags of the organization. */
  missingTags: (organizationId: string, tagIds: string[]) => Promise<string[]>;
  log: { error(fields: object, message: string): void };
}

export type RoutingService = ReturnType<typeof createRoutingService>;

/** A document that others change at the same time is judged again. */
const maxAttempts = 5;
const batchSize = 100;

export function createRoutingService(dependencies: RoutingDependencies) {
  const { routesOf, routed, judge, arrivalSplit, documents, missingTags, log } = dependencies;
  const aside = createSetAside({ log, failure: 'a document could not be routed' });

  async function route(documentId: string): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const waiting = await routed.waiting(documentId);
      if (waiting === undefined) return;
      const { organizationId, document, sourceId } = waiting;
      const routes = (await routesOf(organizationId).all()).filter(({ enabled }) => enabled);
      const judgement = await judge({ organizationId }, routes, { document, sourceId });
      const { state, by, why, then, judged } = judgement;
      // A tag that was deleted since must not come back.
      const missing = new Set(then.tag_ids ? await missingTags(organizationId, then.tag_ids) : []);
      const tag_ids = then.tag_ids?.filter((id) => !missing.has(id));
      const given = { ...then, ...(tag_ids && { tag_ids }) };
      const decided: DocumentRouting | undefined =
        routes.length === 0
          ? undefined
          : { state, route_ids: judgement.routes.map(({ id }) => id), why, by, ...candidatesOf(judgement) };
      if (decided && state === 'routed' && then.split !== undefined) {
        const arrival = { mode: then.split, routes: judgement.routes, sourceId };
        const outcome = await arrivalSplit(organizationId, document, arrival);
        if (outcome.state === 'waits') decided.state = 'waiting_split';
        decided.why = [why, outcome.why].filter((each) => each !== '').join(' ');
      }
      const noted = judged && { kind: judged.evidence.kind, route_id: judged.route.id, score: judged.evidence.score };
      if (await routed.settle(waiting, given, decided, noted)) return;
    }
  }

  return {
    /** Routes a document whose text is ready, once. */
    route,
    /** Routes the documents that a dead process left. */
    async routeWaiting(signal: AbortSignal): Promise<void> {
      for (const documentId of await routed.listWaiting(batchSize, aside.ids())) {
        if (signal.aborted) return;
        await aside.work(documentId, () => route(documentId));
      }
    },
    /** A user decides. What the former routes gave goes, what the chosen one gives comes, in one write. */
    async decide(actor: Actor, documentId: string, routeId: string | null): Promise<Document> {
      requireWriter(actor);
      const routes = routesOf(actor.organizationId);
      const chosen = routeId === null ? undefined : await routes.get(routeId);
      if (routeId !== null && chosen === undefined) {
        const message = 'There is no such route. List the routes and use an id from there.';
        throw new DomainError('invalid', 'unknown_reference', message);
      }
      const service = documents(actor);
      const document = await service.get(documentId);
      const { state, route_ids = [] } = document.routing ?? {};
      // An unsure document keeps what it got for certain: only the candidates are decided.
      const kept_ids = state === 'unsure' ? route_ids : [];
      const formerIds = new Set(state === 'unsure' ? [] : route_ids);
      const former = (await routes.all()).filter(({ id }) => formerIds.has(id) && id !== chosen?.id);
      const leaving = new Set(former.flatMap(({ then }) => then.tag_ids ?? []));
      const asTaken: Route[] = chosen ? [{ ...chosen, enabled: true, when: {} }] : [];
      const { then } = judgeRoutes(asTaken, { document, text: '' });
      const decided_ids = [...new Set([...kept_ids, ...(chosen ? [chosen.id] : [])])];
      const kept = document.tag_ids.filter((id) => !leaving.has(id));
      const tag_ids = [...new Set([...kept, ...(then.tag_ids ?? [])])];
      await routed.noteArrival(actor.organizationId, documentId, then);
      await service.update(documentId, {
        decides_route: true,
        tag_ids,
        ...(then.metadata && { metadata: { ...then.metadata, ...document.metadata } }),
        ...(then.name !== undefined && { document_name: then.name }),
        ...(then.never_to_model && { never_to_model: true }),
      });
      await routed.note(actor.organizationId, documentId, {
        state: decided_ids.length > 0 ? 'routed' : 'none',
        route_ids: decided_ids,
        why: 'A user decided.',
        by: 'user',
      });
      return await service.get(documentId);
    },
  };
}

function candidatesOf({ candidates }: Judgement<Route>): Pick<DocumentRouting, 'candidates'> {
  if (candidates.length === 0) return {};
  return {
    candidates: candidates.map(({ route, why, evidence }) => ({
      route_id: route.id,
      why,
      ...(evidence?.confidence !== undefined && { confidence: evidence.confidence }),
    })),
  };
}
