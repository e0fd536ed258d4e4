import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { DocumentServices, DocumentHooks } from '../documents/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { Actor, IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { DataValidator, SchemaService } from '../schemas/index.ts';
import type { TagService } from '../tags/index.ts';
import { createExtractionRepositories } from './records/extraction-repository.ts';
import { extractionRoutes } from './extraction-routes.ts';
import { createOrphanedExtractions, createProgressRepositories } from './long/progress-repository.ts';
import { createResumeExtractionsJob, type ResumeDependencies } from './resume-extractions.ts';
import { extractionRunRoutes } from './long/extraction-run-routes.ts';
import { createIncompleteResults } from './records/matching-document-repository.ts';
import {
  createExtractionServices,
  type ExtractionRunServices,
  type ExtractionServices,
} from './extraction-services.ts';
import { createRescoring } from './records/verified-result-repository.ts';

interface ExtractionNeeds {
  connection: Connection;
  documentServices: Pick<DocumentServices, 'documents' | 'splitting'>;
  documentHooks: DocumentHooks;
  tagServices: { tags: (actor: Actor) => TagService };
  schemaServices: { schemas: (actor: Actor) => SchemaService; validateData: DataValidator };
  promptServices: { prompts: (actor: Actor) => PromptService };
  promptHooks: { onPolicyChange(change: ReturnType<typeof createRescoring>): void };
  models: LlmServices['models'];
  llmFor: LlmServices['llmFor'];
  settings: Pick<Settings, 'maxExtractionRequests'>;
}

/** Extractions of documents by prompts and their schemas. */
export const extractionsFeature = defineFeature({
  create(needs: ExtractionNeeds) {
    const { connection, documentHooks, models } = needs;
    const { documents, splitting } = needs.documentServices;
    const { tags } = needs.tagServices;
    const { schemas, validateData } = needs.schemaServices;
    const { prompts } = needs.promptServices;
    const extractionsOf = createExtractionRepositories(connection);
    const progressOf = createProgressRepositories(connection);
    documentHooks.onRemove(async (organizationId, documentId) => {
      await extractionsOf(organizationId).removeAll(documentId);
      await progressOf(organizationId).removeAll(documentId);
    });
    documentHooks.provideIncompleteResults(createIncompleteResults(connection));
    needs.promptHooks.onPolicyChange(createRescoring(connection));
    const { extractionRuns, ...services } = createExtractionServices({
      connection,
      extractionsOf,
      progressOf,
      documents,
      schemas,
      prompts,
      validateData,
      models,
      llmFor: needs.llmFor,
      maxExtractionRequests: needs.settings.maxExtractionRequests,
    });
    // For agents and jobs. They do not audit their writes, because turns write the audit log themselves.
    return { artifacts: { tags, schemas, prompts, ...services, documents, splitting, models }, extractionRuns };
  },
});

interface ExtractionRouteNeeds extends ExtractionServices, ExtractionRunServices, Pick<ResumeDependencies, 'auditOf'> {
  connection: Connection;
  identity: Pick<IdentityServices, 'roleOf'>;
  artifacts: ExtractionServices;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** The routes. Their writes are recorded in the audit log. */
export const extractionRoutesFeature = defineFeature({
  create: (_needs: ExtractionRouteNeeds) => ({}),
  async routes(app, services) {
    await app.register(extractionRoutes, { services });
    await app.register(extractionRunRoutes, { services, streams: services.streams });
  },
  jobs: ({ connection, artifacts, identity, auditOf, logger }) => [
    createResumeExtractionsJob({
      orphans: createOrphanedExtractions(connection),
      progressOf: createProgressRepositories(connection),
      roleOf: identity.roleOf,
      extractions: artifacts.extractions,
      auditOf,
      log: logger,
    }),
  ],
});
