import type { Actor } from '../identity/actor.ts';
import type { SchemaService } from '../schemas/schema-service.ts';
import { createSchemaChatService, type SchemaChatDependencies, type SchemaChatService } from './schema-chat-service.ts';
import { createSchemaColumnsService, type SchemaColumnsService } from './schema-columns-service.ts';

export interface SchemaChatAreaServices {
  schemaChat: SchemaChatService;
  schemaColumns: (actor: Actor) => SchemaColumnsService;
}

/** The design of schemas as columns: by conversation, and to schemas and back. */
export function createSchemaChatServices(
  dependencies: SchemaChatDependencies & { schemas: (actor: Actor) => SchemaService },
): SchemaChatAreaServices {
  return {
    schemaChat: createSchemaChatService(dependencies),
    schemaColumns: createSchemaColumnsService(dependencies.schemas),
  };
}
