import {
  createThreadAnswer,
  createThreadBody,
  latestTurnAnswer,
  objectId,
  patchThreadBody,
  thread,
  threadList,
  threadListQuery,
  threadSummary,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
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
        operationId: 'listThreads',
        summary: 'List one’s own threads on a document, the last used first',
        description: '`name_search` keeps those whose title contains it, in any case.',
        params: documentPath,
        querystring: threadListQuery,
        errors: ['document_not_found'],
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
        operationId: 'createThread',
        summary: 'Begin an empty thread',
        description: 'Without a title it takes the first 50 characters of its first message.',
        params: documentPath,
        body: createThreadBody.nullish(),
        errors: ['document_not_found'],
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
        operationId: 'getThread',
        summary: 'Get a thread with its messages',
        description:
          '`pending_turn` is the turn that waits for a decision, as its answer was given; `latest_turn` is the newest one, of which `…/turns/{turn_id}/events` tells more while it runs; `model` is the one that the next turn takes unless another is asked for.',
        params: threadPath,
        errors: ['document_not_found', 'thread_not_found'],
        response: { 200: thread },
      },
    },
    async (request) => (await threads(request.actor, request.params.document_id)).get(request.params.thread_id),
  );

  app.get(
    `${path}/:thread_id/latest_turn`,
    {
      schema: {
        tags,
        operationId: 'getLatestTurn',
        summary: 'Get how the newest turn of a thread stands',
        description:
          'For whoever has the thread open elsewhere: cheap to ask for every second. null before the first turn. Where `turn_id`, `status` or `event_count` is another than before, read the thread again, or follow the turn’s events while it is `running`.',
        params: threadPath,
        errors: ['document_not_found', 'thread_not_found'],
        response: { 200: latestTurnAnswer },
      },
    },
    async (request) => {
      const service = await threads(request.actor, request.params.document_id);
      return { latest_turn: (await service.latestTurn(request.params.thread_id)) ?? null };
    },
  );

  app.patch(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        operationId: 'updateThread',
        summary: 'Rename a thread',
        params: threadPath,
        body: patchThreadBody,
        errors: ['document_not_found', 'thread_not_found'],
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
    {
      schema: {
        tags,
        operationId: 'deleteThread',
        summary: 'Delete a thread',
        params: threadPath,
        errors: ['document_not_found', 'thread_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await (await threads(request.actor, request.params.document_id)).delete(request.params.thread_id);
      return reply.code(204).send();
    },
  );
};
