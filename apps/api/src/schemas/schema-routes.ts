import {
  createSchemaBody,
  objectId,
  pageQuery,
  schema,
  schemaList,
  schemaListQuery,
  updateSchemaBody,
  validateBody,
  validationAnswer,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/actor.ts';
import type { SchemaService } from './schema-service.ts';

const tags = ['schemas'];
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
    {
      schema: {
        tags,
        summary: 'Create a schema',
        description:
          'The inner schema is draft 7, its root an object; every object lists all its properties in `required` and sets `additionalProperties: false`; references stay inside and do not recur. What breaks a rule is 400 `invalid_schema` with the places in `details`.',
        params: listPath,
        body: createSchemaBody,
        response: { 201: schema },
      },
    },
    async (request, reply) => reply.code(201).send(await schemas(request.actor).create(request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/schemas',
    {
      schema: {
        tags,
        summary: 'The newest revision of each schema, the last changed first',
        params: listPath,
        querystring: schemaListQuery,
        response: { 200: schemaList },
      },
    },
    async (request) => schemas(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id',
    {
      schema: {
        tags,
        summary: 'One revision',
        description: 'Revisions stay readable when their schema is deleted.',
        params: revisionPath,
        response: { 200: schema },
      },
    },
    async (request) => schemas(request.actor).get(request.params.id),
  );

  app.put(
    '/v0/orgs/:org_id/schemas/:id',
    {
      schema: {
        tags,
        summary: 'Change a schema',
        description:
          'Another `response_format` makes a new revision; a rename alone, or the same format again, does not.',
        params: schemaPath,
        body: updateSchemaBody,
        response: { 200: schema },
      },
    },
    async (request) => schemas(request.actor).update(request.params.id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/schemas/:id',
    {
      schema: {
        tags,
        summary: 'Delete a schema',
        description: '400 `schema_in_use` while a current prompt uses it.',
        params: schemaPath,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await schemas(request.actor).delete(request.params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/orgs/:org_id/schemas/:id/versions',
    {
      schema: {
        tags,
        summary: 'All revisions of a schema, the newest first',
        params: schemaPath,
        querystring: pageQuery,
        response: { 200: schemaList },
      },
    },
    async (request) => schemas(request.actor).versions(request.params.id, request.query),
  );

  app.post(
    '/v0/orgs/:org_id/schemas/:id/validate',
    {
      schema: {
        tags,
        summary: 'Hold data against a revision',
        params: revisionPath,
        body: validateBody,
        response: { 200: validationAnswer },
      },
    },
    async (request) => schemas(request.actor).checkData(request.params.id, request.body.data),
  );
};
