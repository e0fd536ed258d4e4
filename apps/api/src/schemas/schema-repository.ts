import type { ResponseFormat } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createRevisionRepositories, type RevisionRepository } from '../revisions/revision-repository.ts';

export type SchemaRepository = RevisionRepository<ResponseFormat>;

/** The schemas of each organization. */
export function createSchemaRepositories(connection: Connection): (organizationId: string) => SchemaRepository {
  return createRevisionRepositories<ResponseFormat>(connection, 'schema', () => ({}));
}
