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

/** Conversations of one user with the agent of a document; they are invisible to all other users. */
export const threadRoutes: FastifyPluginAsyncZod<{
  services: { threads: (actor: Actor, documentId: string) => Promise<ThreadService> };
}> = async (app, { services: { threads } }) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listThreads',
        summary: 'List the caller’s threads on a document, last used first',
        description: '`name_search` selects titles that contain it, ignoring case.',
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
        summary: 'Create an empty thread',
        description: 'The default title is the first 50 characters of its first message.',
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
          '`pending_turn` is the answer of the turn that waits for a decision; `latest_turn` is the newest turn, whose events are at `…/turns/{turn_id}/events` while it runs; `model` is the default model of the next turn.',
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
        summary: 'Get the state of the newest turn of a thread',
        description:
          'For clients with the same thread open elsewhere: cheap enough to poll every second. Null before the first turn. When `turn_id`, `status` or `event_count` changes, read the thread again, or follow the turn’s events while it is `running`.',
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
