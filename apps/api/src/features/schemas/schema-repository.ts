import type { ResponseFormat } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createRevisionRepositories, type RevisionRepository } from '../revisions/revision-repository.ts';

export type SchemaRepository = RevisionRepository<ResponseFormat>;

/** Lists of schemas filter by nothing that is in them. */
export const schemaFacets = (): Record<string, unknown> => ({});

/** The schemas of each organization. */
export function createSchemaRepositories(connection: Connection): (organizationId: string) => SchemaRepository {
  return createRevisionRepositories<ResponseFormat>(connection, 'schema', schemaFacets);
}
