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
  type ErrorCode,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { ThreadService } from './thread-service.ts';

/** The place of the conversations of one kind of agent: below a document, or beside all documents. */
export interface ConversationArea {
  /** The tag of its routes in the OpenAPI document. */
  tag: string;
  path: string;
  /** The path parameters of its routes; those beside documents have no `document_id`. */
  params: z.ZodObject<{ org_id: typeof objectId; document_id: z.ZodOptional<typeof objectId> }>;
  /** The id under which its turns and threads are stored. */
  placeOf: (params: { document_id?: string | undefined }) => string;
  /** What each of its routes can answer besides its own errors. */
  errors: readonly ErrorCode[];
  /** The operation id of a route, from the one that it has below a document. */
  operationId: (ofDocuments: string) => string;
}

/** The conversations with the agent of a document. */
export const documentConversations: ConversationArea = {
  tag: 'chat',
  path: '/v0/orgs/:org_id/documents/:document_id/chat',
  // The path always has the document; the other area has none.
  params: z.object({ org_id: objectId, document_id: objectId }) as unknown as ConversationArea['params'],
  placeOf: ({ document_id = '' }) => document_id,
  errors: ['document_not_found'],
  operationId: (name) => name,
};

/** Conversations of one user with an agent; they are invisible to all other users. */
export const threadRoutes: FastifyPluginAsyncZod<{
  area: ConversationArea;
  services: { threads: (actor: Actor, placeId: string) => Promise<ThreadService> };
}> = async (app, { area, services: { threads } }) => {
  const operation = operationsOf(area.tag);
  const path = `${area.path}/threads`;
  const threadPath = area.params.extend({ thread_id: objectId });
  app.get(
    path,
    operation({
      operationId: area.operationId('listThreads'),
      summary: 'List the caller’s threads, last used first',
      description: '`name_search` selects titles that contain it, ignoring case.',
      params: area.params,
      querystring: threadListQuery,
      errors: [...area.errors],
      response: { 200: threadList },
    }),
    async (request) => (await threads(request.actor, area.placeOf(request.params))).list(request.query),
  );

  app.post(
    path,
    operation({
      operationId: area.operationId('createThread'),
      summary: 'Create an empty thread',
      description: 'The default title is the first 50 characters of its first message.',
      params: area.params,
      body: createThreadBody.nullish(),
      errors: [...area.errors],
      response: { 201: createThreadAnswer },
    }),
    async (request, reply) => {
      const service = await threads(request.actor, area.placeOf(request.params));
      const { id } = await service.create(request.body?.title);
      return reply.code(201).send({ thread_id: id });
    },
  );

  app.get(
    `${path}/:thread_id`,
    operation({
      operationId: area.operationId('getThread'),
      summary: 'Get a thread with its messages',
      description:
        '`pending_turn` is the answer of the turn that waits for a decision; `latest_turn` is the newest turn, whose events are at `…/turns/{turn_id}/events` while it runs; `model` is the default model of the next turn.',
      params: threadPath,
      errors: [...area.errors, 'thread_not_found'],
      response: { 200: thread },
    }),
    async (request) => (await threads(request.actor, area.placeOf(request.params))).get(request.params.thread_id),
  );

  app.get(
    `${path}/:thread_id/latest_turn`,
    operation({
      operationId: area.operationId('getLatestTurn'),
      summary: 'Get the state of the newest turn of a thread',
      description:
        'For clients with the same thread open elsewhere: cheap enough to poll every second. Null before the first turn. When `turn_id`, `status` or `event_count` changes, read the thread again, or follow the turn’s events while it is `running`.',
      params: threadPath,
      errors: [...area.errors, 'thread_not_found'],
      response: { 200: latestTurnAnswer },
    }),
    async (request) => {
      const service = await threads(request.actor, area.placeOf(request.params));
      return { latest_turn: (await service.latestTurn(request.params.thread_id)) ?? null };
    },
  );

  app.patch(
    `${path}/:thread_id`,
    operation({
      operationId: area.operationId('updateThread'),
      summary: 'Rename a thread',
      params: threadPath,
      body: patchThreadBody,
      errors: [...area.errors, 'thread_not_found'],
      response: { 200: threadSummary },
    }),
    async (request) => {
      const service = await threads(request.actor, area.placeOf(request.params));
      return service.rename(request.params.thread_id, request.body.title);
    },
  );

  app.delete(
    `${path}/:thread_id`,
    operation({
      operationId: area.operationId('deleteThread'),
      summary: 'Delete a thread',
      params: threadPath,
      errors: [...area.errors, 'thread_not_found'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await (await threads(request.actor, area.placeOf(request.params))).delete(request.params.thread_id);
      return reply.code(204).send();
    },
  );
};
