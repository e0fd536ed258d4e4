import {
  DomainError,
  type ResponseFormat,
  type Schema,
  type SchemaColumnsAnswer,
  type SchemaFromColumnsBody,
} from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import { changedTables, columnsOfFormat, exactTypesOf, rowsOf } from './columns-of-format.ts';
import { formatOfColumns } from './format-of-columns.ts';

/** Schemas as the columns that schema chat works on. */
export type SchemaColumnsService = ReturnType<ReturnType<typeof createSchemaColumnsService>>;

export function createSchemaColumnsService(
  schemas: (actor: Actor) => Pick<SchemaService, 'get' | 'getCurrent' | 'create' | 'update'>,
) {
  return (actor: Actor) => {
    /** The version of a revision of the schema. */
    async function versionOf(revid: string, { schema_id, schema_revid, schema_version }: Schema): Promise<number> {
      if (revid === schema_revid) return schema_version;
      const seen = await schemas(actor).get(revid).catch(asUnknownReference);
      if (seen.schema_id === schema_id) return seen.schema_version;
      throw new DomainError('invalid', 'unknown_reference', 'base_revid: the schema has no such revision.');
    }

    return {
      /**
       * Creates a schema, or a revision of `schema_id` that preserves what columns do not express. Throws `invalid_columns`,
       * `unknown_reference`, `version_conflict`.
       */
      async save({
        name,
        columns,
        multi_row,
        schema_id,
        base_revid,
        tables = [],
        dry_run = false,
      }: SchemaFromColumnsBody): Promise<Schema> {
        requireWriter(actor);
        if (schema_id === undefined) {
          if (dry_run) throw dryRunWithoutSchema();
          const plain = formatOfColumns(name, columns, multi_row);
          const response_format =
            tables.length === 0 ? plain : formatWithTables(name, columns, multi_row, plain, tables);
          return await schemas(actor).create({ name, response_format });
        }
        const present = await schemas(actor).getCurrent(schema_id).catch(asUnknownReference);
        const { response_format: before } = present;
        const response_format = formatWithTables(name, columns, multi_row, before, tables);
        if (dry_run) {
          const isNew = JSON.stringify(response_format) !== JSON.stringify(before);
          return { ...present, name, response_format, schema_version: present.schema_version + (isNew ? 1 : 0) };
        }
        const seen = base_revid === undefined ? undefined : await versionOf(base_revid, present);
        const change = { name, response_format, ...(seen !== undefined && { base_version: seen }) };
        return await schemas(actor).update(schema_id, change).catch(asUnknownReference);
      },
      /** Fields that are no columns are in `kept`. Throws `schema_not_found`. */
      async columnsOf(revid: string): Promise<SchemaColumnsAnswer> {
        const { schema_id, schema_revid, name, response_format } = await schemas(actor).get(revid);
        return { schema_id, schema_revid, name, ...columnsOfFormat(schema_id, response_format) };
      },
    };
  };
}

/** An unknown schema in a body is an invalid body, not a missing resource. */
function asUnknownReference(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'not_found') {
    throw new DomainError('invalid', 'unknown_reference', 'schema_id: there is no such schema. Omit it to create one.');
  }
  throw error;
}

function dryRunWithoutSchema(): DomainError {
  return new DomainError(
    'invalid',
    'unknown_reference',
    'dry_run shows a change of a stored schema. Send its schema_id.',
  );
}

/** The format with its columns changed, and the tables of its lists; preserves what columns do not express. */
function formatWithTables(
  name: string,
  columns: SchemaFromColumnsBody['columns'],
  multiRow: boolean,
  before: ResponseFormat,
  tables: NonNullable<SchemaFromColumnsBody['tables']>,
): ResponseFormat {
  return formatOfColumns(name, columns, multiRow, {
    format: before,
    exact: exactTypesOf(before),
    kept: columnsOfFormat('', before).kept.map((field) => field.name),
    rows: rowsOf(before.json_schema.schema),
    tables: changedTables(before, tables),
  });
}
