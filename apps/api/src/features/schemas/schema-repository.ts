import type { ResponseFormat, SchemaCheck } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createRevisionRepositories, type RevisionRepository } from '../revisions/index.ts';
/** What a schema's revision holds: the format, and beside it the checks; a format without any stands alone. */
export type SchemaContent = ResponseFormat & { checks?: SchemaCheck[] };

export type SchemaRepository = RevisionRepository<SchemaContent>;

/** Lists of schemas filter by nothing that is in them. */
export const schemaFacets = (): Record<string, unknown> => ({});

/** The schemas of each organization. */
export function createSchemaRepositories(connection: Connection): (organizationId: string) => SchemaRepository {
  return createRevisionRepositories<SchemaContent>(connection, 'schema', schemaFacets);
}
