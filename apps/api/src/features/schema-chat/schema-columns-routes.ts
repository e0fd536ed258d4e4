import { objectId, schema, schemaColumnsAnswer, schemaFromColumnsBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { SchemaColumnsService } from './schema-columns-service.ts';

const operation = operationsOf('schemas');
const listPath = z.object({ org_id: objectId });
const revisionPath = listPath.extend({ id: objectId.describe('A schema_revid') });

interface SchemaColumnsRouteServices {
  schemaColumns: (actor: Actor) => SchemaColumnsService;
}

/** Conversion of columns to schemas and back. */
export const schemaColumnsRoutes: FastifyPluginAsyncZod<{ services: SchemaColumnsRouteServices }> = async (
  app,
  { services: { schemaColumns } },
) => {
  app.post(
    '/v0/orgs/:org_id/schemas/from-columns',
    operation({
      operationId: 'saveSchemaFromColumns',
      summary: 'Create or change a schema by its columns',
      description: [
        'Each column becomes a nullable property with its name: `text` a string, `date` a string with the format `date`, `number` a number, `currency` a number with the title `currency`, `boolean` a boolean. `description` is copied, `regex` becomes `pattern` (which applies to text only), `allowedValues` an `enum` of the column’s type with null. With `multi_row`, the root has one list of such objects, `rows`.',
        '`allowedValues` are separated by commas. A value with a comma, a quote or a line break, or with a space at its start or end, is written in double quotes, with each quote doubled: `open, "closed, paid", "5"" pipe"`.',
        'With `schema_id`, a new revision of that schema is created (200) instead of a new schema (201). A column with the same name and type preserves its exact type: integers and non-null constraints. `tables` has the columns of lists of objects (those in `kept` with `columns`): each is saved in the same way, and lists that are not named stay as they are. With `dry_run`, nothing is stored and the answer is the schema as it would be saved. Ids of columns are not stored. `invalid_columns` are names with dots, names that differ only in case, values of another type, and a regex that is invalid, needs look-around or back references, or could backtrack without bound.',
      ].join('\n\n'),
      params: listPath,
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
      errors: ['invalid_columns', 'invalid_schema', 'unknown_reference', 'viewer_cannot_write'],
      response: { 200: schema, 201: schema },
    }),
    async (request, reply) => {
      const saved = await schemaColumns(request.actor).save(request.body);
      return reply.code(request.body.schema_id === undefined ? 201 : 200).send(saved);
    },
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id/columns',
    operation({
      operationId: 'getSchemaColumns',
      summary: 'Get a revision of a schema as columns',
      description:
        'The reverse of from-columns. Columns have the same ids in all revisions of a schema. Non-null constraints and integers are not visible in columns; from-columns with `schema_id` preserves them. Fields that columns cannot express (nested objects, lists, other formats, limits) are in `kept`; a list of objects has the columns of its table there. From-columns with `schema_id` preserves these fields, except for the lists named in `tables`.',
      params: revisionPath,
      errors: ['schema_not_found'],
      response: { 200: schemaColumnsAnswer },
    }),
    async (request) => schemaColumns(request.actor).columnsOf(request.params.id),
  );
};
