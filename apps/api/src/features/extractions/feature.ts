import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createDocumentRepositories } from '../documents/document-repository.ts';
import type { DocumentServices } from '../documents/document-services.ts';
import type { DocumentHooks } from '../documents/feature.ts';
import type { LlmServices } from '../llm/llm-services.ts';
import { promptRoutes } from '../prompts/prompt-routes.ts';
import { schemaRoutes } from '../schemas/schema-routes.ts';
import { createTagRepositories } from '../tags/tag-repository.ts';
import { tagRoutes } from '../tags/tag-routes.ts';
import { createExtractionRepositories } from './extraction-repository.ts';
import { extractionRoutes } from './extraction-routes.ts';
import { createExtractionServices, type ExtractionServices } from './extraction-services.ts';

export interface ExtractionNeeds {
  connection: Connection;
  documentServices: Pick<DocumentServices, 'documents'>;
  documentHooks: DocumentHooks;
  models: LlmServices['models'];
  llmFor: LlmServices['llmFor'];
  logger: FastifyBaseLogger;
}

/** Extractions, and what they are made of: schemas, prompts and tags. */
export const extractionsFeature = defineFeature({
  create({ connection, documentServices: { documents }, documentHooks, models, llmFor, logger }: ExtractionNeeds) {
    const extractionsOf = createExtractionRepositories(connection);
    documentHooks.onRemove((organizationId, documentId) => extractionsOf(organizationId).removeAll(documentId));
    const services = createExtractionServices({
      connection,
      tagsOf: createTagRepositories(connection),
      extractionsOf,
      documentsOf: createDocumentRepositories(connection),
      documents,
      models,
      llmFor,
      log: logger,
    });
    /** What agents and jobs work through: their turns write the audit log themselves. */
    return { artifacts: { ...services, documents, models } };
  },
});

/** The routes, whose writes stand in the audit log. */
export const extractionRoutesFeature = defineFeature({
  create: (_needs: ExtractionServices) => ({}),
  async routes(app, services) {
    await app.register(tagRoutes, { services });
    await app.register(schemaRoutes, { services });
    await app.register(promptRoutes, { services });
    await app.register(extractionRoutes, { services });
  },
});
