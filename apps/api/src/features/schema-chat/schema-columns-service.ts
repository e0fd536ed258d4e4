import { DomainError, type Schema, type SchemaColumnsAnswer, type SchemaFromColumnsBody } from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import { changedTables, columnsOfFormat, exactTypesOf, rowsOf } from './columns-of-format.ts';
import { formatOfColumns } from './format-of-columns.ts';

/** Schemas as the columns that schema chat works on. */
export interface SchemaColumnsService {
  /** A new schema, or a new revision of `schema_id`, where what columns do not tell stays. `invalid_columns`, `unknown_reference`. */
  save(body: SchemaFromColumnsBody): Promise<Schema>;
  /** `schema_not_found`. What is no column is among `kept`. */
  columnsOf(schema_revid: string): Promise<SchemaColumnsAnswer>;
}

export function createSchemaColumnsService(
  schemas: (actor: Actor) => Pick<SchemaService, 'get' | 'getCurrent' | 'create' | 'update'>,
): (actor: Actor) => SchemaColumnsService {
  return (actor) => ({
    async save({ name, columns, multi_row, schema_id, tables = [] }) {
      requireWriter(actor);
      if (schema_id === undefined) {
        if (tables.length > 0) throw tablesOfNothing();
        const response_format = formatOfColumns(name, columns, multi_row);
        return await schemas(actor).create({ name, response_format });
      }
      const { response_format: before } = await schemas(actor).getCurrent(schema_id).catch(asUnknownReference);
      const { kept } = columnsOfFormat('', before);
      const response_format = formatOfColumns(name, columns, multi_row, {
        format: before,
        exact: exactTypesOf(before),
        kept: kept.map((field) => field.name),
        rows: rowsOf(before.json_schema.schema),
        tables: changedTables(before, tables),
      });
      return await schemas(actor).update(schema_id, { name, response_format }).catch(asUnknownReference);
    },
    async columnsOf(revid) {
      const { schema_id, schema_revid, name, response_format } = await schemas(actor).get(revid);
      return { schema_id, schema_revid, name, ...columnsOfFormat(schema_id, response_format) };
    },
  });
}

/** A body that names a schema which is not there is wrong; there is nothing that is not found. */
function asUnknownReference(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'not_found') {
    throw new DomainError(
      'invalid',
      'unknown_reference',
      'schema_id: there is no such schema. Leave it out to make one.',
    );
  }
  throw error;
}

function tablesOfNothing(): DomainError {
  return new DomainError(
    'invalid',
    'unknown_reference',
    'tables: they are of lists that a schema has. Name the schema with schema_id, or leave them out.',
  );
}
