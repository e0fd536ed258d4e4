import { z } from 'zod';
import { objectId, recordId } from './base/common.ts';
import { artifactName } from './schemas.ts';
import { column } from './schema-chat.ts';

/** A column given for a schema: its id says nothing and may be missing. */
const givenColumn = column.extend({ id: column.shape.id.optional() });

export const schemaFromColumnsBody = z.object({
  name: artifactName,
  columns: z.array(givenColumn).min(1).max(200),
  /** The document holds many rows of these columns. */
  multi_row: z.boolean().default(false),
  /** Makes a new revision of this schema in place of a new schema. */
  schema_id: objectId.optional(),
  /** Of lists of objects that the schema has: the columns of their tables. A list that is not named stays as it is. */
  tables: z
    .array(z.object({ name: z.string().min(1).max(200), columns: z.array(givenColumn).min(1).max(200) }))
    .max(200)
    .optional(),
});
export type SchemaFromColumnsBody = z.infer<typeof schemaFromColumnsBody>;

/** A field that is no column: it is shown, and stays as it is when the columns are saved. */
export const keptField = z.object({
  name: z.string(),
  /** Why it is no column, in a few words: `it is a list`. */
  why: z.string(),
  /** Of a list of objects: the columns of its table, as far as they are columns. */
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
  /** What columns cannot say, in the schema's order. */
  kept: z.array(keptField),
});
export type SchemaColumnsAnswer = z.infer<typeof schemaColumnsAnswer>;
