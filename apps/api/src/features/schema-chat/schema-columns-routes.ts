import { objectId, schema, schemaColumnsAnswer, schemaFromColumnsBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { SchemaColumnsService } from './schema-columns-service.ts';

const tags = ['schemas'];
const listPath = z.object({ org_id: objectId });
const revisionPath = listPath.extend({ id: objectId.describe('A schema_revid') });

interface SchemaColumnsRouteServices {
  schemaColumns: (actor: Actor) => SchemaColumnsService;
}

/** Schemas made of columns, and shown as columns. */
export const schemaColumnsRoutes: FastifyPluginAsyncZod<{ services: SchemaColumnsRouteServices }> = async (
  app,
  { services: { schemaColumns } },
) => {
  app.post(
    '/v0/orgs/:org_id/schemas/from-columns',
    {
      schema: {
        tags,
        operationId: 'saveSchemaFromColumns',
        summary: 'Create or change a schema by its columns',
        description: [
          'Each column becomes a property of its name that may be null: `text` a string, `date` a string of the format `date`, `number` a number, `currency` a number with the title `currency`, `boolean` a boolean; `description` stays, `regex` becomes `pattern` (which tests text alone), `allowedValues` an `enum` of the column’s type with null. With `multi_row` the root holds one list, `rows`, of such objects.',
          '`allowedValues` are comma separated. A value that holds a comma, a quote or a line break, or begins or ends with a space, stands in double quotes, a quote in it twice: `open, "closed, paid", "5"" pipe"`.',
          'With `schema_id` a new revision of that schema is made (200) in place of a new schema (201); a column of the same name and type keeps what its field says more exactly, whole numbers and that it may not be null. `tables` has the columns of lists of objects (those in `kept` with `columns`): each is saved in the same way, and a list that is not named stays as it is. Ids of the columns are not kept. `invalid_columns` are names with dots or told apart by case alone, values that are not of the type, a regex that is invalid, needs look-around or back references, or could backtrack without bound.',
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
      },
    },
    async (request, reply) => {
      const saved = await schemaColumns(request.actor).save(request.body);
      return reply.code(request.body.schema_id === undefined ? 201 : 200).send(saved);
    },
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id/columns',
    {
      schema: {
        tags,
        operationId: 'getSchemaColumns',
        summary: 'Get a revision of a schema as columns',
        description:
          'The reverse of from-columns; columns keep their ids over the revisions of a schema. Fields that may not be null and whole numbers are shown as columns too; columns do not tell of either, and from-columns with `schema_id` keeps both. Fields that say more than columns can (objects in objects, lists, other formats, limits) are in `kept`, a list of objects with the columns of its table; from-columns with `schema_id` keeps them as they are, but for the lists that its `tables` name.',
        params: revisionPath,
        errors: ['schema_not_found'],
        response: { 200: schemaColumnsAnswer },
      },
    },
    async (request) => schemaColumns(request.actor).columnsOf(request.params.id),
  );
};
