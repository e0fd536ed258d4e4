import {
  createThreadAnswer,
  createThreadBody,
  objectId,
  pageQuery,
  patchThreadBody,
  thread,
  threadList,
  threadSummary,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/actor.ts';
import type { ThreadService } from './thread-service.ts';

const tags = ['chat'];
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const threadPath = documentPath.extend({ thread_id: objectId });
const path = '/v0/orgs/:org_id/documents/:document_id/chat/threads';

/** Conversations of one person with the agent of one document; to anybody else they are not there. */
export const threadRoutes: FastifyPluginAsyncZod<{
  services: { threads: (actor: Actor, documentId: string) => Promise<ThreadService> };
}> = async (app, { services: { threads } }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'One’s own threads on a document, the last used first',
        params: documentPath,
        querystring: pageQuery,
        response: { 200: threadList },
      },
    },
    async (request) => (await threads(request.actor, request.params.document_id)).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        summary: 'Begin an empty thread',
        description: 'Without a title it takes the first 50 characters of its first message.',
        params: documentPath,
        body: createThreadBody.nullish(),
        response: { 201: createThreadAnswer },
      },
    },
    async (request, reply) => {
      const service = await threads(request.actor, request.params.document_id);
      const { id } = await service.create(request.body?.title);
      return reply.code(201).send({ thread_id: id });
    },
  );

  app.get(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        summary: 'A thread with its messages',
        description: '`pending_turn` is the turn that waits for a decision, as its answer was given.',
        params: threadPath,
        response: { 200: thread },
      },
    },
    async (request) => (await threads(request.actor, request.params.document_id)).get(request.params.thread_id),
  );

  app.patch(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        summary: 'Name a thread',
        params: threadPath,
        body: patchThreadBody,
        response: { 200: threadSummary },
      },
    },
    async (request) => {
      const service = await threads(request.actor, request.params.document_id);
      return service.rename(request.params.thread_id, request.body.title);
    },
  );

  app.delete(
    `${path}/:thread_id`,
    { schema: { tags, summary: 'Delete a thread', params: threadPath, response: { 204: z.undefined() } } },
    async (request, reply) => {
      await (await threads(request.actor, request.params.document_id)).delete(request.params.thread_id);
      return reply.code(204).send();
    },
  );
};
