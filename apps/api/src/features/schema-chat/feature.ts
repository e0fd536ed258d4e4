import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { DocumentServices } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { schemaChatRoutes } from './schema-chat-routes.ts';
import { createSchemaChatService } from './schema-chat-service.ts';
import { schemaColumnsRoutes } from './schema-columns-routes.ts';
import { createSchemaColumnsService } from './schema-columns-service.ts';

interface SchemaChatNeeds extends Pick<LlmServices, 'models' | 'llmFor' | 'llmAt'> {
  artifacts: Pick<ExtractionServices, 'schemas'> & Pick<DocumentServices, 'documents'>;
  identity: Pick<IdentityServices, 'localeOf'>;
  settings: Pick<Settings, 'agentMaxRounds'>;
  admission: TurnAdmission;
}

/** The design of schemas as columns in a chat, and the conversion between columns and schemas. */
export const schemaChatFeature = defineFeature({
  create: ({ artifacts: { documents, schemas }, models, llmFor, llmAt, settings, identity }: SchemaChatNeeds) => ({
    schemaChat: createSchemaChatService({
      documents,
      models,
      llmFor,
      llmAt,
      localeOf: identity.localeOf,
      maxRounds: settings.agentMaxRounds,
    }),
    schemaColumns: createSchemaColumnsService(schemas),
  }),
  async routes(app, services) {
    await app.register(schemaColumnsRoutes, { services });
    await app.register(schemaChatRoutes, { services, admission: services.admission });
  },
});
