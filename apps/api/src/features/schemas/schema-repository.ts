import type { ResponseFormat, SchemaCheck } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createRevisionRepositories, type RevisionRepository } from '../revisions/index.ts';

/** The content of a schema's revision: the format, with its checks if it has any. */
export type SchemaContent = ResponseFormat & { checks?: SchemaCheck[] };

export type SchemaRepository = RevisionRepository<SchemaContent>;

/** Lists of schemas do not filter by content. */
export const schemaFacets = (): Record<string, unknown> => ({});

/** The schemas of each organization. */
export function createSchemaRepositories(connection: Connection): (organizationId: string) => SchemaRepository {
  return createRevisionRepositories<SchemaContent>(connection, 'schema', schemaFacets);
}
