import type { Schema } from '@docwright/contract';

/** What the next call needs to know of a schema. */
export function schemaReference({ schema_id, schema_revid, schema_version, name }: Schema) {
  return { schema_id, schema_revid, schema_version, name };
}
