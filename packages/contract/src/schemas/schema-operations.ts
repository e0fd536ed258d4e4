import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { artifactName, objectId, pageQuery, recordId } from '../base/fields.ts';
import { column } from './schema-chat.ts';
import {
  createSchemaBody,
  dataValidation,
  schema,
  schemaList,
  schemaListQuery,
  schemaUse,
  updateSchemaBody,
  validateBody,
} from './schemas.ts';

/** A column for a schema. Its id has no meaning and can be omitted. */
const givenColumn = column.extend({ id: column.shape.id.optional() });

export const schemaFromColumnsBody = z.object({
  name: artifactName,
  columns: z.array(givenColumn).min(1).max(200),
  /** Whether the document has many rows of these columns. */
  multi_row: z.boolean().default(false),
  /** Creates a new revision of this schema instead of a new schema. */
  schema_id: objectId.optional(),
  /** The revision of `schema_id` that the user changes. If another one has come since, nothing is saved. */
  base_revid: objectId.optional(),
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

// A schema and its revisions are both `:id`: OpenAPI takes paths that differ in a parameter's name alone for one path.
export const schemaOperations = describeOperations('schemas', {
  'POST /v0/orgs/:org_id/schemas': {
    operationId: 'createSchema',
    summary: 'Create a schema',
    description:
      'The inner schema is draft 7, its root an object; every object lists all its properties in `required` and sets `additionalProperties: false`; references stay inside the schema and are not recursive. The `details` of an error list each violation with its path. `checks` are conditions across fields in the Common Expression Language (https://cel.dev) with `sum`, `min`, `max`, `abs`, `round`, `date` and `iban_valid`, such as `abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01`; a check that does not parse or names no field is 400 `invalid_check` with `details: { check, position }`.',
    body: createSchemaBody.meta({
      examples: [
        {
          name: 'Invoice',
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: 'invoice',
              strict: true,
              schema: {
                type: 'object',
                properties: { total: { type: 'number' } },
                required: ['total'],
                additionalProperties: false,
              },
            },
          },
        },
      ],
    }),
    errors: ['invalid_schema', 'invalid_check', 'viewer_cannot_write'],
    response: { 201: schema },
  },
  'GET /v0/orgs/:org_id/schemas': {
    operationId: 'listSchemas',
    summary: 'List schemas in their newest revision, last changed first',
    querystring: schemaListQuery,
    response: { 200: schemaList },
  },
  'GET /v0/orgs/:org_id/schemas/:id': {
    operationId: 'getSchema',
    summary: 'Get a revision of a schema',
    description: 'Revisions stay readable when their schema is deleted.',
    params: { id: objectId.describe('A schema_revid') },
    errors: ['schema_not_found'],
    response: { 200: schema },
  },
  'PUT /v0/orgs/:org_id/schemas/:id': {
    operationId: 'updateSchema',
    summary: 'Change a schema',
    description:
      'A different `response_format` or different `checks` create a new revision; a rename or equal content does not. Omitted checks stay, and must match the new format. With `base_version`, no revision follows one that the user did not see.',
    params: { id: objectId.describe('A schema_id') },
    body: updateSchemaBody.meta({ examples: [{ name: 'Invoices of suppliers' }] }),
    errors: ['invalid_schema', 'invalid_check', 'viewer_cannot_write', 'schema_not_found', 'version_conflict'],
    response: { 200: schema },
  },
  'DELETE /v0/orgs/:org_id/schemas/:id': {
    operationId: 'deleteSchema',
    summary: 'Delete a schema',
    description: 'Not while a current prompt uses it. Its revisions stay readable.',
    params: { id: objectId.describe('A schema_id') },
    errors: ['schema_in_use', 'viewer_cannot_write', 'schema_not_found'],
    response: { 204: z.undefined() },
  },
  'GET /v0/orgs/:org_id/schemas/:id/versions': {
    operationId: 'listSchemaVersions',
    summary: 'List the revisions of a schema, newest first',
    params: { id: objectId.describe('A schema_id') },
    querystring: pageQuery,
    errors: ['schema_not_found'],
    response: { 200: schemaList },
  },
  'POST /v0/orgs/:org_id/schemas/:id/validate': {
    operationId: 'validateAgainstSchema',
    summary: 'Validate data against a revision and its checks',
    description: 'A check that cannot be computed because a value is null does not fail.',
    params: { id: objectId.describe('A schema_revid') },
    body: validateBody.meta({ examples: [{ data: { total: 120.5 } }] }),
    errors: ['schema_not_found'],
    response: { 200: dataValidation },
  },
  'POST /v0/orgs/:org_id/schemas/from-columns': {
    operationId: 'saveSchemaFromColumns',
    summary: 'Create or change a schema by its columns',
    description: [
      'Each column becomes a nullable property with its name: `text` a string, `date` a string with the format `date`, `number` a number, `currency` a number with the title `currency`, `boolean` a boolean. `description` is copied, `regex` becomes `pattern` (which applies to text only), `allowedValues` an `enum` of the column’s type with null. With `multi_row`, the root has one list of such objects, `rows`.',
      '`allowedValues` are separated by commas. A value with a comma, a quote or a line break, or with a space at its start or end, is written in double quotes, with each quote doubled: `open, "closed, paid", "5"" pipe"`.',
      'With `schema_id`, a new revision of that schema is created (200) instead of a new schema (201). A column with the same name and type preserves its exact type: integers and non-null constraints. `tables` has the columns of lists of objects (those in `kept` with `columns`): each is saved in the same way, and lists that are not named stay as they are. With `dry_run`, nothing is stored and the answer is the schema as it would be saved. Ids of columns are not stored. With `base_revid`, no revision follows one that the user did not see. `invalid_columns` are names with dots, names that differ only in case, values of another type, and a regex that is invalid, needs look-around or back references, or could backtrack without bound.',
    ].join('\n\n'),
    body: schemaFromColumnsBody.meta({
      examples: [
        {
          name: 'Invoice',
          columns: [
            { id: '1', name: 'total', type: 'currency', description: 'What is to be paid' },
            { id: '2', name: 'state', type: 'text', allowedValues: 'open, paid' },
          ],
        },
      ],
    }),
    errors: ['invalid_columns', 'invalid_schema', 'unknown_reference', 'viewer_cannot_write', 'version_conflict'],
    response: { 200: schema, 201: schema },
  },
  'GET /v0/orgs/:org_id/schemas/:id/columns': {
    operationId: 'getSchemaColumns',
    summary: 'Get a revision of a schema as columns',
    description:
      'The reverse of from-columns. Columns have the same ids in all revisions of a schema. Non-null constraints and integers are not visible in columns; from-columns with `schema_id` preserves them. Fields that columns cannot express (nested objects, lists, other formats, limits) are in `kept`; a list of objects has the columns of its table there. From-columns with `schema_id` preserves these fields, except for the lists named in `tables`.',
    params: { id: objectId.describe('A schema_revid') },
    errors: ['schema_not_found'],
    response: { 200: schemaColumnsAnswer },
  },
  'GET /v0/orgs/:org_id/schemas/:id/use': {
    operationId: 'getSchemaUse',
    summary: 'Show what a change of a schema concerns',
    description:
      'The prompts that use the schema, with the version that each uses and the number of its documents: a prompt stays on its version until it is changed (`PUT …/prompts/{id}` with `schema_id`), and a document keeps its result until it is extracted again. `POST …/evaluations` with the next `response_format` measures a change on verified documents before it is saved.',
    params: { id: objectId.describe('A schema_id') },
    errors: ['schema_not_found'],
    response: { 200: schemaUse },
  },
});
