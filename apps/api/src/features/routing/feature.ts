import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import { createPageRepositories, type DocumentHooks, type DocumentServices } from '../documents/index.ts';
import { createTagCheck, createTagRepositories } from '../tags/index.ts';
import { createRouteRepositories } from './route-repository.ts';
import { routeRoutes } from './route-routes.ts';
import { createRouteService } from './route-service.ts';
import { createRoutedDocuments } from './routed-document-repository.ts';
import { createRoutingService } from './routing-service.ts';

interface RoutingNeeds {
  connection: Connection;
  documents: Pick<DocumentServices, 'documents'>;
  documentHooks: DocumentHooks;
}

/** Routes: where documents go once they have their text. */
export const routingFeature = defineFeature({
  create({ connection, documents: { documents }, documentHooks }: RoutingNeeds) {
    const routesOf = createRouteRepositories(connection);
    const pagesOf = createPageRepositories(connection);
    const tagsOf = createTagRepositories(connection);
    const routing = createRoutingService({
      routesOf,
      routed: createRoutedDocuments(connection),
      pagesOf,
      documents,
      missingTags: (organizationId, tagIds) => tagsOf(organizationId).missing(tagIds),
    });
    // Before other listeners: a route can keep the document from models.
    documentHooks.onTextRead((documentId) => routing.route(documentId));
    return {
      routing,
      routes: createRouteService({ routesOf, documents, pagesOf, checkTags: createTagCheck(connection) }),
    };
  },
  routes: async (app, services) => app.register(routeRoutes, { services }),
  jobs: ({ routing }): Job[] => [
    {
      name: 'route-documents',
      everyMs: 15_000,
      wokenBy: ['documents'],
      concurrency: 1,
      run: (signal) => routing.routeWaiting(signal),
    },
  ],
});
