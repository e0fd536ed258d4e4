import { z } from 'zod';
import { artifactName, objectId, recordId } from '../base/fields.ts';
import { column } from './schema-chat.ts';

/** A column for a schema. Its id has no meaning and can be omitted. */
const givenColumn = column.extend({ id: column.shape.id.optional() });

export const schemaFromColumnsBody = z.object({
  name: artifactName,
  columns: z.array(givenColumn).min(1).max(200),
  /** Whether the document has many rows of these columns. */
  multi_row: z.boolean().default(false),
  /** Creates a new revision of this schema instead of a new schema. */
  schema_id: objectId.optional(),
  /** The columns of the schema's lists of objects. Lists that are not named are unchanged. */
  tables: z
    .array(z.object({ name: z.string().min(1).max(200), columns: z.array(givenColumn).min(1).max(200) }))
    .max(200)
    .optional(),
  /** Stores nothing: the answer is the schema as it would be saved, with the `schema_revid` of the current revision. */
  dry_run: z.boolean().optional(),
});
export type SchemaFromColumnsBody = z.infer<typeof schemaFromColumnsBody>;

/** A field that cannot be a column: it is displayed, and unchanged when the columns are saved. */
export const keptField = z.object({
  name: z.string(),
  /** Why it cannot be a column, in a few words: `it is a list`. */
  why: z.string(),
  /** For a list of objects: those of its fields that can be columns. */
  columns: z.array(column).optional(),
  schema: z.unknown(),
});
export type KeptField = z.infer<typeof keptField>;

export const schemaColumnsAnswer = z.object({
  schema_id: recordId,
  schema_revid: recordId,
  name: z.string(),
  columns: z.array(column),
  multi_row: z.boolean(),
  /** Fields that cannot be columns, in the schema's order. */
  kept: z.array(keptField),
});
export type SchemaColumnsAnswer = z.infer<typeof schemaColumnsAnswer>;
