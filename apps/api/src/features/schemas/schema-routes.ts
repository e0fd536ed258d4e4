import {
  dataValidation,
  createSchemaBody,
  objectId,
  pageQuery,
  schema,
  schemaList,
  schemaListQuery,
  updateSchemaBody,
  validateBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { SchemaService } from './schema-service.ts';

const operation = operationsOf('schemas');
const listPath = z.object({ org_id: objectId });
// One name for both, because OpenAPI takes paths that differ in a parameter's name alone for the same path.
const schemaPath = listPath.extend({ id: objectId.describe('A schema_id') });
const revisionPath = listPath.extend({ id: objectId.describe('A schema_revid') });

export const schemaRoutes: FastifyPluginAsyncZod<{ services: { schemas: (actor: Actor) => SchemaService } }> = async (
  app,
  { services: { schemas } },
) => {
  app.post(
    '/v0/orgs/:org_id/schemas',
    operation({
      operationId: 'createSchema',
      summary: 'Create a schema',
      description:
        'The inner schema is draft 7, its root an object; every object lists all its properties in `required` and sets `additionalProperties: false`; references stay inside the schema and are not recursive. The `details` of an error list each violation with its path. `checks` are conditions across fields in the Common Expression Language (https://cel.dev) with `sum`, `min`, `max`, `abs`, `round`, `date` and `iban_valid`, such as `abs(sum(line_items.map(r, r.amount)) - subtotal) <= 0.01`; a check that does not parse or names no field is 400 `invalid_check` with `details: { check, position }`.',
      params: listPath,
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
    }),
    async (request, reply) => reply.code(201).send(await schemas(request.actor).create(request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/schemas',
    operation({
      operationId: 'listSchemas',
      summary: 'List schemas in their newest revision, last changed first',
      params: listPath,
      querystring: schemaListQuery,
      response: { 200: schemaList },
    }),
    async (request) => schemas(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id',
    operation({
      operationId: 'getSchema',
      summary: 'Get a revision of a schema',
      description: 'Revisions stay readable when their schema is deleted.',
      params: revisionPath,
      errors: ['schema_not_found'],
      response: { 200: schema },
    }),
    async (request) => schemas(request.actor).get(request.params.id),
  );

  app.put(
    '/v0/orgs/:org_id/schemas/:id',
    operation({
      operationId: 'updateSchema',
      summary: 'Change a schema',
      description:
        'A different `response_format` or different `checks` create a new revision; a rename or equal content does not. Omitted checks stay, and must match the new format.',
      params: schemaPath,
      body: updateSchemaBody.meta({ examples: [{ name: 'Invoices of suppliers' }] }),
      errors: ['invalid_schema', 'invalid_check', 'viewer_cannot_write', 'schema_not_found'],
      response: { 200: schema },
    }),
    async (request) => schemas(request.actor).update(request.params.id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/schemas/:id',
    operation({
      operationId: 'deleteSchema',
      summary: 'Delete a schema',
      description: 'Not while a current prompt uses it. Its revisions stay readable.',
      params: schemaPath,
      errors: ['schema_in_use', 'viewer_cannot_write', 'schema_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await schemas(request.actor).delete(request.params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id/versions',
    operation({
      operationId: 'listSchemaVersions',
      summary: 'List the revisions of a schema, newest first',
      params: schemaPath,
      querystring: pageQuery,
      errors: ['schema_not_found'],
      response: { 200: schemaList },
    }),
    async (request) => schemas(request.actor).versions(request.params.id, request.query),
  );

  app.post(
    '/v0/orgs/:org_id/schemas/:id/validate',
    operation({
      operationId: 'validateAgainstSchema',
      summary: 'Validate data against a revision and its checks',
      description: 'A check that cannot be computed because a value is null does not fail.',
      params: revisionPath,
      body: validateBody.meta({ examples: [{ data: { total: 120.5 } }] }),
      errors: ['schema_not_found'],
      response: { 200: dataValidation },
    }),
    async (request) => schemas(request.actor).checkData(request.params.id, request.body.data),
  );
};
