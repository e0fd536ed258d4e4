import { createTagBody, objectId, tag, tagList, tagListQuery, updateTagBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { TagService } from './tag-service.ts';

const operation = operationsOf('tags');
const listPath = z.object({ org_id: objectId });
const tagPath = listPath.extend({ tag_id: objectId });

export const tagRoutes: FastifyPluginAsyncZod<{ services: { tags: (actor: Actor) => TagService } }> = async (
  app,
  { services: { tags: tagsFor } },
) => {
  app.post(
    '/v0/orgs/:org_id/tags',
    operation({
      operationId: 'createTag',
      summary: 'Create a tag',
      description: 'Names are unique in the organization, ignoring case. The default colour is derived from the name.',
      params: listPath,
      body: createTagBody,
      errors: ['viewer_cannot_write', 'tag_name_taken'],
      response: { 201: tag },
    }),
    async (request, reply) => reply.code(201).send(await tagsFor(request.actor).create(request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/tags',
    operation({
      operationId: 'listTags',
      summary: 'List tags, by name',
      params: listPath,
      querystring: tagListQuery,
      response: { 200: tagList },
    }),
    async (request) => tagsFor(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/tags/:tag_id',
    operation({
      operationId: 'getTag',
      summary: 'Get a tag',
      params: tagPath,
      errors: ['tag_not_found'],
      response: { 200: tag },
    }),
    async (request) => tagsFor(request.actor).get(request.params.tag_id),
  );

  app.put(
    '/v0/orgs/:org_id/tags/:tag_id',
    operation({
      operationId: 'updateTag',
      summary: 'Change a tag',
      description:
        'Omitted fields stay as they are. `never_to_model: true` keeps the documents with the tag, and those that get it, from all models; only an admin clears it, which clears no document.',
      params: tagPath,
      body: updateTagBody,
      errors: ['viewer_cannot_write', 'admin_required', 'tag_not_found', 'tag_name_taken'],
      response: { 200: tag },
    }),
    async (request) => tagsFor(request.actor).update(request.params.tag_id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/tags/:tag_id',
    operation({
      operationId: 'deleteTag',
      summary: 'Delete a tag',
      description: 'Not while a document or a current prompt has the tag.',
      params: tagPath,
      errors: ['tag_in_use', 'viewer_cannot_write', 'tag_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await tagsFor(request.actor).delete(request.params.tag_id);
      return reply.code(204).send();
    },
  );
};
