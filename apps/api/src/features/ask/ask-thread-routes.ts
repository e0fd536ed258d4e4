import {
  createThreadAnswer,
  createThreadBody,
  objectId,
  patchThreadBody,
  thread,
  threadList,
  threadListQuery,
  threadSummary,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ChatServices } from '../chat/index.ts';
import { askPlace } from './ask-routes.ts';

const tags = ['ask'];
const path = '/v0/orgs/:org_id/ask/threads';
const askPath = z.object({ org_id: objectId });
const threadPath = askPath.extend({ thread_id: objectId });

/** The caller's conversations over many documents; they are invisible to all other users. */
export const askThreadRoutes: FastifyPluginAsyncZod<{ services: Pick<ChatServices, 'threads'> }> = async (
  app,
  { services: { threads } },
) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listAskThreads',
        summary: 'List the caller’s conversations over many documents, last used first',
        params: askPath,
        querystring: threadListQuery,
        errors: [],
        response: { 200: threadList },
      },
    },
    async (request) => (await threads(request.actor, askPlace)).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createAskThread',
        summary: 'Create an empty conversation',
        params: askPath,
        body: createThreadBody.nullish(),
        errors: [],
        response: { 201: createThreadAnswer },
      },
    },
    async (request, reply) => {
      const { id } = await (await threads(request.actor, askPlace)).create(request.body?.title);
      return reply.code(201).send({ thread_id: id });
    },
  );

  app.get(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        operationId: 'getAskThread',
        summary: 'Get a conversation with its messages',
        params: threadPath,
        errors: ['thread_not_found'],
        response: { 200: thread },
      },
    },
    async (request) => (await threads(request.actor, askPlace)).get(request.params.thread_id),
  );

  app.patch(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        operationId: 'updateAskThread',
        summary: 'Rename a conversation',
        params: threadPath,
        body: patchThreadBody,
        errors: ['thread_not_found'],
        response: { 200: threadSummary },
      },
    },
    async (request) => (await threads(request.actor, askPlace)).rename(request.params.thread_id, request.body.title),
  );

  app.delete(
    `${path}/:thread_id`,
    {
      schema: {
        tags,
        operationId: 'deleteAskThread',
        summary: 'Delete a conversation',
        params: threadPath,
        errors: ['thread_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await (await threads(request.actor, askPlace)).delete(request.params.thread_id);
      return reply.code(204).send();
    },
  );
};
