import { createSourceBody, objectId, pipelineListQuery, source, sourceList, sourceSync } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { SourceService } from './source-service.ts';

const tags = ['sources'];
const path = '/api/v2/sources';
const sourcePath = z.object({ source_id: objectId });

/** Sets of documents for pipelines. */
export const sourceRoutes: FastifyPluginAsyncZod<{ services: { sources: (actor: Actor) => SourceService } }> = async (
  app,
  { services: { sources } },
) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listSources',
        summary: 'List sources, newest first',
        description:
          'The sources of the organization in `X-Org-Id`. `document_count` is the current number of documents.',
        querystring: pipelineListQuery,
        response: { 200: sourceList },
      },
    },
    async (request) => sources(request.actor).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createSource',
        summary: 'Create a source',
        description:
          'A set of the organization’s documents: by `document_ids`, by `tag_ids` (documents with all of them), by part of the name, or by several of these together; without any, all documents. Tags and names are evaluated when the source is used. With a `connector` (for admins) the source fills itself: the files of a folder, within what the operator bound to the organization in `INLET_DIRS`, become documents with `tag_ids`, each once; it is looked at `every` (15m by default).',
        body: createSourceBody.meta({ examples: [{ name: 'Contracts', name_search: 'contract' }] }),
        errors: ['unknown_reference', 'viewer_cannot_write', 'admin_required', 'folder_not_allowed', 'folder_missing'],
        response: { 201: source },
      },
    },
    async (request, reply) => reply.code(201).send(await sources(request.actor).create(request.body)),
  );

  app.get(
    `${path}/:source_id`,
    {
      schema: {
        tags,
        operationId: 'getSource',
        summary: 'Get a source',
        params: sourcePath,
        errors: ['source_not_found'],
        response: { 200: source },
      },
    },
    async (request) => sources(request.actor).get(request.params.source_id),
  );

  app.get(
    `${path}/:source_id/sync`,
    {
      schema: {
        tags,
        operationId: 'getSourceSync',
        summary: 'Get the last sync of a source',
        description: 'What it saw and took, and the first twenty files that it could not take, with the reason.',
        params: sourcePath,
        errors: ['source_not_found'],
        response: { 200: sourceSync },
      },
    },
    async (request) => sources(request.actor).sync(request.params.source_id),
  );

  app.post(
    `${path}/:source_id/sync`,
    {
      schema: {
        tags,
        operationId: 'syncSource',
        summary: 'Look at the files of a source now',
        description: 'One process at a time syncs a source; a sync that runs is not started again.',
        params: sourcePath,
        errors: ['source_not_found', 'source_not_syncable', 'viewer_cannot_write'],
        response: { 202: sourceSync },
      },
    },
    async (request, reply) => reply.code(202).send(await sources(request.actor).startSync(request.params.source_id)),
  );

  app.delete(
    `${path}/:source_id`,
    {
      schema: {
        tags,
        operationId: 'deleteSource',
        summary: 'Delete a source',
        description: 'Its documents and the collections built from it stay.',
        params: sourcePath,
        errors: ['viewer_cannot_write', 'source_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await sources(request.actor).delete(request.params.source_id);
      return reply.code(204).send();
    },
  );
};
