import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import type { AuditServices } from '../audit/index.ts';
import { createPageRepositories, type DocumentHooks, type DocumentServices } from '../documents/index.ts';
import { arrivalActor } from '../identity/index.ts';
import { createVerifiedResultRepositories } from '../extractions/index.ts';
import type { LlmServices } from '../llm/index.ts';
import { createPromptCheck, createPromptRepositories } from '../prompts/index.ts';
import { createSourceRepositories } from '../sources/index.ts';
import { createTagCheck, createTagRepositories } from '../tags/index.ts';
import { createGatherEvidence } from './certainty/gather-evidence.ts';
import { createLearnedWords } from './certainty/learned-words.ts';
import { createSettledDecisions } from './certainty/settled-decision-repository.ts';
import { createArrivalSplit } from './arrival-split.ts';
import { createJudge } from './judge-document.ts';
import { createRouteRepositories } from './route-repository.ts';
import { routeRoutes } from './route-routes.ts';
import { createRouteService } from './route-service.ts';
import { createRoutedDocuments } from './routed-document-repository.ts';
import { createRoutingService } from './routing-service.ts';

interface RoutingNeeds {
  connection: Connection;
  documents: Pick<DocumentServices, 'documents' | 'splitting'>;
  documentHooks: DocumentHooks;
  llmFor: LlmServices['llmFor'];
  models: LlmServices['models'];
  auditOf: AuditServices['auditOf'];
  logger: FastifyBaseLogger;
}

/** How many verified documents a prompt's words are learned from. */
const maxVerified = 20;

/** Routes: where documents go once they have their text. */
export const routingFeature = defineFeature({
  create({
    connection,
    documents: { documents, splitting },
    documentHooks,
    llmFor,
    models,
    auditOf,
    logger,
  }: RoutingNeeds) {
    const routesOf = createRouteRepositories(connection);
    const pagesOf = createPageRepositories(connection);
    const tagsOf = createTagRepositories(connection);
    const promptsOf = createPromptRepositories(connection);
    const sourcesOf = createSourceRepositories(connection);
    const verifiedOf = createVerifiedResultRepositories(connection);
    const routed = createRoutedDocuments(connection);
    const judge = createJudge({
      pagesOf,
      keepingTags: (organizationId, tagIds) => tagsOf(organizationId).keeping(tagIds),
      gatherEvidence: createGatherEvidence({
        learnedWords: createLearnedWords(pagesOf),
        settled: createSettledDecisions(connection),
        async verifiedKind(organizationId, promptId) {
          const prompt = await promptsOf(organizationId).getCurrent(promptId);
          if (prompt === undefined) return undefined;
          const verified = await verifiedOf(organizationId).truth(promptId, maxVerified);
          return { name: prompt.name, documentIds: verified.map(({ document_id }) => document_id) };
        },
        async modelFor({ organizationId, userId = arrivalActor(organizationId).userId }, documentId) {
          const model = await models(organizationId).resolveModel(undefined);
          const llm = llmFor({ organizationId, userId, documentId });
          await llm.requireAllowed?.(model);
          return { llm, model };
        },
      }),
    });
    const routing = createRoutingService({
      routesOf,
      routed,
      judge,
      arrivalSplit: createArrivalSplit({ splitting, auditOf }),
      documents,
      missingTags: (organizationId, tagIds) => tagsOf(organizationId).missing(tagIds),
      log: logger,
    });
    // Before other listeners: a route can keep the document from models.
    documentHooks.onTextRead((documentId) => routing.route(documentId));
    return {
      routing,
      routes: createRouteService({
        routesOf,
        documents,
        judge,
        routed,
        checkTags: createTagCheck(connection),
        promptExists: createPromptCheck(connection),
        sourceExists: async (organizationId, id) => (await sourcesOf(organizationId).get(id)) !== undefined,
      }),
    };
  },
  routes: async (app, services) => app.register(routeRoutes, { services }),
  jobs: ({ routing }): Job[] => [
    {
      name: 'route-documents',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      wokenBy: ['documents'],
      concurrency: 1,
      run: (signal) => routing.routeWaiting(signal),
    },
  ],
});
