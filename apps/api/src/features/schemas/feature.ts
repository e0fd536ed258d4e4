import type { Prompt } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditWrites } from '../audit/index.ts';
import { createDataValidator } from './data-validator.ts';
import { createSchemaRepositories } from './schema-repository.ts';
import { schemaRoutes } from './schema-routes.ts';
import { createSchemaService } from './schema-service.ts';

interface SchemaNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  promptServices: { usingSchema(organizationId: string, schemaId: string): Promise<Pick<Prompt, 'name'>[]> };
}

/** Schemas, and the validation of data against them. */
export const schemasFeature = defineFeature({
  create({ connection, auditWrites, promptServices }: SchemaNeeds) {
    const validateData = createDataValidator();
    const schemas = createSchemaService({
      auditWrites,
      schemasOf: createSchemaRepositories(connection),
      promptsUsing: (organizationId, schemaId) => promptServices.usingSchema(organizationId, schemaId),
      validateData,
    });
    return { schemas, validateData };
  },
  routes: async (app, services) => app.register(schemaRoutes, { services }),
});
