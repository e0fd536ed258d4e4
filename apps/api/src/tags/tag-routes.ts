import { createTagBody, objectId, tag, tagList, tagListQuery, updateTagBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/actor.ts';
import type { TagService } from './tag-service.ts';

const tags = ['tags'];
const listPath = z.object({ org_id: objectId });
const tagPath = listPath.extend({ tag_id: objectId });

export const tagRoutes: FastifyPluginAsyncZod<{ services: { tags: (actor: Actor) => TagService } }> = async (
  app,
  { services: { tags: tagsFor } },
) => {
  app.post(
    '/v0/orgs/:org_id/tags',
    {
      schema: {
        tags,
        summary: 'Create a tag',
        description:
          'Names are unique in the organization without regard to case (409 `tag_name_taken`). Without a colour the name decides it.',
        params: listPath,
        body: createTagBody,
        response: { 201: tag },
      },
    },
    async (request, reply) => reply.code(201).send(await tagsFor(request.actor).create(request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/tags',
    {
      schema: {
        tags,
        summary: 'The tags by name',
        params: listPath,
        querystring: tagListQuery,
        response: { 200: tagList },
      },
    },
    async (request) => tagsFor(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/tags/:tag_id',
    { schema: { tags, summary: 'One tag', params: tagPath, response: { 200: tag } } },
    async (request) => tagsFor(request.actor).get(request.params.tag_id),
  );

  app.put(
    '/v0/orgs/:org_id/tags/:tag_id',
    {
      schema: {
        tags,
        summary: 'Change a tag',
        description: 'What is left out stays.',
        params: tagPath,
        body: updateTagBody,
        response: { 200: tag },
      },
    },
    async (request) => tagsFor(request.actor).update(request.params.tag_id, request.body),
  );

  app.delete(
    '/v0/orgs/:org_id/tags/:tag_id',
    {
      schema: {
        tags,
        summary: 'Delete a tag',
        description: '400 `tag_in_use` while a document or a current prompt carries it.',
        params: tagPath,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await tagsFor(request.actor).delete(request.params.tag_id);
      return reply.code(204).send();
    },
  );
};
