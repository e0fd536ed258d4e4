import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createDocumentRepositories } from '../documents/document-repository.ts';
import type { DocumentServices } from '../documents/document-services.ts';
import type { DocumentHooks } from '../documents/feature.ts';
import type { StreamAdmission } from '../stream-admission/stream-admission.ts';
import type { LlmServices } from '../llm/llm-services.ts';
import { createTagRepositories } from '../tags/tag-repository.ts';
import { createExtractionRepositories } from './extraction-repository.ts';
import { extractionRoutes } from './extraction-routes.ts';
import { createProgressRepositories } from './long/progress-repository.ts';
import { extractionRunRoutes } from './long/extraction-run-routes.ts';
import {
  createExtractionServices,
  type ExtractionRunServices,
  type ExtractionServices,
} from './extraction-services.ts';

export interface ExtractionNeeds {
  connection: Connection;
  documentServices: Pick<DocumentServices, 'documents' | 'splitting'>;
  documentHooks: DocumentHooks;
  models: LlmServices['models'];
  llmFor: LlmServices['llmFor'];
  settings: Pick<Settings, 'maxExtractionRequests'>;
}

/** Extractions, and what they are made of: schemas, prompts and tags. */
export const extractionsFeature = defineFeature({
  create({ connection, documentServices, documentHooks, models, llmFor, settings }: ExtractionNeeds) {
    const { documents, splitting } = documentServices;
    const extractionsOf = createExtractionRepositories(connection);
    const progressOf = createProgressRepositories(connection);
    documentHooks.onRemove(async (organizationId, documentId) => {
      await extractionsOf(organizationId).removeAll(documentId);
      await progressOf(organizationId).removeAll(documentId);
    });
    const { extractionRuns, ...services } = createExtractionServices({
      connection,
      tagsOf: createTagRepositories(connection),
      extractionsOf,
      documentsOf: createDocumentRepositories(connection),
      documents,
      models,
      llmFor,
      maxExtractionRequests: settings.maxExtractionRequests,
    });
    /** What agents and jobs work through: their turns write the audit log themselves. */
    return { artifacts: { ...services, documents, splitting, models }, extractionRuns };
  },
});

/** The routes, whose writes stand in the audit log. */
export const extractionRoutesFeature = defineFeature({
  create: (_needs: ExtractionServices & ExtractionRunServices & { streams: StreamAdmission }) => ({}),
  async routes(app, services) {
    await app.register(extractionRoutes, { services });
    await app.register(extractionRunRoutes, { services, streams: services.streams });
  },
});
