import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices, AuditWrites } from '../audit/index.ts';
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
import { createResumeExtractionsJob } from './resume-extractions.ts';
import { extractionRunRoutes } from './long/extraction-run-routes.ts';
import { createIncompleteResults } from './records/matching-document-repository.ts';
import { createExtractionServices } from './extraction-services.ts';

interface ExtractionNeeds {
  connection: Connection;
  auditOf: AuditServices['auditOf'];
  auditWrites: AuditWrites;
  documents: Pick<DocumentServices, 'documents' | 'splitting'>;
  documentHooks: DocumentHooks;
  tags: (actor: Actor) => TagService;
  schemas: (actor: Actor) => SchemaService;
  validateData: DataValidator;
  prompts: (actor: Actor) => PromptService;
  models: LlmServices['models'];
  llmFor: LlmServices['llmFor'];
  settings: Pick<Settings, 'maxExtractionRequests'>;
  identity: Pick<IdentityServices, 'roleOf'>;
  streams: StreamAdmission;
  logger: FastifyBaseLogger;
}

/** Extractions of documents by prompts and their schemas. */
export const extractionsFeature = defineFeature({
  create(needs: ExtractionNeeds) {
    const { connection, auditWrites, documentHooks, models, tags, schemas, validateData, prompts } = needs;
    const { documents, splitting } = needs.documents;
    const extractionsOf = createExtractionRepositories(connection);
    const progressOf = createProgressRepositories(connection);
    documentHooks.onRemove(async (organizationId, documentId) => {
      await extractionsOf(organizationId).removeAll(documentId);
      await progressOf(organizationId).removeAll(documentId);
    });
    documentHooks.provideIncompleteResults(createIncompleteResults(connection));
    const { extractionRuns, ...services } = createExtractionServices({
      connection,
      auditWrites,
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
    const artifacts = { tags, schemas, prompts, ...services, documents, splitting, models };
    return { artifacts, extractions: services.extractions, extractionRuns };
  },
  async routes(app, services) {
    await app.register(extractionRoutes, { services });
    await app.register(extractionRunRoutes, { services, streams: services.streams });
  },
  jobs: ({ connection, extractions, identity, auditOf, logger }) => [
    createResumeExtractionsJob({
      orphans: createOrphanedExtractions(connection),
      progressOf: createProgressRepositories(connection),
      roleOf: identity.roleOf,
      extractions,
      auditOf,
      log: logger,
    }),
  ],
});
