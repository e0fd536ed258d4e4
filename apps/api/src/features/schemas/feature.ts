import type { Prompt } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/index.ts';
import { createDataValidator } from './data-validator.ts';
import { createSchemaRepositories } from './schema-repository.ts';
import { schemaRoutes } from './schema-routes.ts';
import { createSchemaService, type SchemaService } from './schema-service.ts';

interface SchemaNeeds {
  connection: Connection;
  promptServices: { usingSchema(organizationId: string, schemaId: string): Promise<Pick<Prompt, 'name'>[]> };
}

/** Schemas, and the validation of data against them. */
export const schemasFeature = defineFeature({
  create({ connection, promptServices }: SchemaNeeds) {
    const validateData = createDataValidator();
    const schemas = createSchemaService({
      schemasOf: createSchemaRepositories(connection),
      promptsUsing: (organizationId, schemaId) => promptServices.usingSchema(organizationId, schemaId),
      validateData,
    });
    return { schemaServices: { schemas, validateData } };
  },
});

/** The routes of schemas. Their writes are audited. */
export const schemaRoutesFeature = defineFeature({
  create: (_needs: { schemas: (actor: Actor) => SchemaService }) => ({}),
  routes: async (app, { schemas }) => app.register(schemaRoutes, { services: { schemas } }),
});
