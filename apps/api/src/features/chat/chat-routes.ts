import { emittedEffect, type AgentProfile, type DocumentAgentServices } from '@docwright/agent-core';
import {
  approveBody,
  chatBody,
  objectId,
  toolList,
  turnAnswer,
  turnEvent,
  type TurnAnswer,
  modelFailures,
  type ToolEffect,
} from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import { requireScope, type Actor } from '../identity/index.ts';
import type { ApprovalService } from './decisions/approval-service.ts';
import type { ChatService } from './chat-service.ts';
import { streamTurnEvents } from '../turns/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { TurnRun } from './running/turn-runner.ts';

const tags = ['chat'];
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const path = '/v0/orgs/:org_id/documents/:document_id/chat';
const bodyLimit = 16 * 1024 * 1024;

const streaming =
  'With `stream: true` the answer is `text/event-stream` up to the next pause or end of the turn: frames with `id` (from 1 in the turn), `event` and `data`; the last event is `done` or `error`. A turn keeps running when its client disconnects.';

const answerOrEvents = {
  description: 'The complete answer, or the turn’s events as they happen.',
  content: { 'application/json': { schema: turnAnswer }, 'text/event-stream': { schema: turnEvent } },
};

interface ChatRouteServices {
  chat: ChatService;
  approvals: ApprovalService;
  profile: AgentProfile<DocumentAgentServices>;
  /** Throws `document_not_found` if the document does not belong to the organization. */
  requireDocument: (actor: Actor, documentId: string) => Promise<void>;
}

/** The conversation with the agent of one document. */
export const chatRoutes: FastifyPluginAsyncZod<{
  services: ChatRouteServices;
  admission: TurnAdmission;
  streams: StreamAdmission;
}> = async (app, { services: { chat, approvals, profile, requireDocument }, admission, streams }) => {
  app.get(
    `${path}/tools`,
    {
      schema: {
        tags,
        operationId: 'listChatTools',
        summary: 'List the tools of the agent',
        description: 'Read-only tools run at once, read-write ones wait for approval.',
        params: documentPath,
        errors: ['document_not_found'],
        response: { 200: toolList },
      },
    },
    async (request) => {
      await requireDocument(request.actor, request.params.document_id);
      return toolListOf(profile);
    },
  );

  app.post(
    path,
    {
      sse: 'manual',
      bodyLimit,
      schema: {
        tags,
        operationId: 'chat',
        summary: 'Send a message to the agent',
        description: `Starts a turn. With \`thread_id\` the stored thread is the history; without it a new thread is created. A pending turn of the thread is superseded. While a turn of the thread runs the answer is 409 \`turn_running\`. ${streaming}`,
        params: documentPath,
        body: chatBody.meta({
          examples: [
            { messages: [{ role: 'user', content: 'Create a schema for this invoice and extract it.' }] },
            {
              thread_id: '6650f1c2a4b3d2e1f0a9b8c7',
              messages: [{ role: 'user', content: 'The total is 120.50.' }],
              auto_approved_tools: ['update_extraction_field'],
              stream: true,
            },
          ],
        }),
        errors: [
          'auto_approve_needs_stream',
          'last_message_not_user',
          'model_not_enabled',
          'thread_id_missing',
          'thread_shorter',
          'unknown_reference',
          'unknown_tool',
          'document_not_found',
          'thread_not_found',
          'turn_running',
          'turn_taken_over',
          'turn_timeout',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      },
    },
    async (request, reply) => {
      const { auto_approve, auto_approved_tools, stream } = request.body;
      // Automatic approval is a decision.
      if (auto_approve || auto_approved_tools.length > 0) requireScope(request.principal, 'decide');
      return await answer(request, reply, stream, () =>
        chat.start(request.actor, request.params.document_id, request.body),
      );
    },
  );

  app.post(
    `${path}/approve`,
    {
      sse: 'manual',
      bodyLimit,
      schema: {
        tags,
        operationId: 'decideTurn',
        summary: 'Decide on pending calls',
        description: `Runs the approved calls and resumes the same turn. A write call without a decision is rejected. \`remember\` on an approval adds a permission rule that allows the tool from now on, in the thread, on the document or in the organization (admins only: others get 403 and the turn stays pending). Rules are checked again before each call runs: a deny rule overrides an approval. Repeating the same decisions returns the same answer and runs nothing; different decisions are 409 \`already_decided\`. ${streaming}`,
        params: documentPath,
        body: approveBody.meta({
          examples: [
            {
              turn_id: '6650f1c2a4b3d2e1f0a9b8c7',
              approvals: [
                { call_id: 'call_1', approved: true, remember: 'thread' },
                { call_id: 'call_2', approved: false, reason: 'Keep the tag.' },
              ],
            },
          ],
        }),
        errors: [
          'remember_needs_approval',
          'remember_needs_waiting_call',
          'unprocessable.decided_twice',
          'admin_required',
          'document_not_found',
          'turn_not_found',
          'already_decided',
          'turn_interrupted',
          'turn_not_waiting',
          'evaluation_stale',
          'turn_superseded',
          'turn_taken_over',
          'turn_expired',
          'answer_does_not_fit',
          'invalid_arguments',
          'invalid_plan',
          'unknown_call',
          'turn_timeout',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      const { document_id } = request.params;
      const isRepeated = await approvals.isRepeated(actor, document_id, body);
      const admit: typeof admission.run = (...args) =>
        isRepeated ? admission.repeat(...args) : admission.run(...args);
      return await answer(request, reply, body.stream, () => approvals.approve(actor, document_id, body), admit);
    },
  );

  /** Reserves the stream first: a turn must not start if its client cannot receive its events. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    isStream: boolean,
    start: () => Promise<TurnRun>,
    admit: typeof admission.run = (...args) => admission.run(...args),
  ): Promise<TurnAnswer | undefined> {
    if (!isStream) return await (await admit(request, reply, start)).answer;
    const closing = streams.stream(request, reply);
    const { log, after } = await admit(request, reply, start);
    await streamTurnEvents(reply, { log, after, untilClosing: true, closing });
    return undefined;
  }
};

function toolListOf({ tools }: AgentProfile<DocumentAgentServices>): z.infer<typeof toolList> {
  const names = (effect: ToolEffect) =>
    tools.tools.filter((tool) => emittedEffect(tool.effect) === effect).map(({ name }) => name);
  return {
    read_only: names('read_only'),
    read_write: names('read_write'),
    tools: tools.definitions.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      effect: emittedEffect(tools.get(name)?.effect ?? 'write'),
      parameters,
    })),
  };
}
