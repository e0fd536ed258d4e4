import { DomainError, type MappedField } from '@docwright/contract';
import { typesOfField } from '@docwright/documents';
import type { SchemaRepository } from '../schemas/index.ts';
import type { PromptContent } from './prompt-repository.ts';

/** Throws `unknown_reference` if the prompt's schema lacks a mapped field. */
export async function requireMappedFields(
  schemas: Pick<SchemaRepository, 'get'>,
  { schema_revid }: Pick<PromptContent, 'schema_revid'>,
  map: readonly MappedField[] = [],
): Promise<void> {
  if (map.length === 0) return;
  const schema = schema_revid === undefined ? undefined : await schemas.get(schema_revid);
  const fields = schema?.content.json_schema.schema;
  const unknown = map.find(({ field }) => typesOfField(fields, field).length === 0);
  if (unknown === undefined) return;
  throw new DomainError(
    'invalid',
    'unknown_reference',
    `machine_map names the field “${unknown.field}”, which the prompt’s schema does not have. Use a field of the schema.`,
  );
}
