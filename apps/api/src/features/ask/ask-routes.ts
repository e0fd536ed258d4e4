import {
  approveBody,
  askBody,
  modelFailures,
  objectId,
  turnAnswer,
  turnEvent,
  turnStatus,
  type TurnAnswer,
} from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ChatServices, TurnRun } from '../chat/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { lastEventId, streamTurnEvents } from '../turns/index.ts';

/** Turns and threads of questions belong to no document. */
export const askPlace = '0'.repeat(24);

const tags = ['ask'];
const path = '/v0/orgs/:org_id/ask';
const askPath = z.object({ org_id: objectId });
const turnPath = z.object({ org_id: objectId, turn_id: objectId });
const bodyLimit = 16 * 1024 * 1024;
/** Statuses after which more events can follow. */
const active = new Set<string>(['running', 'awaiting_approval', 'awaiting_answers']);
const turnState = turnAnswer.extend({ status: z.union([turnStatus, z.literal('running')]) });

const answerOrEvents = {
  description: 'The complete answer, or the turn’s events as they happen.',
  content: { 'application/json': { schema: turnAnswer }, 'text/event-stream': { schema: turnEvent } },
};

interface AskRouteOptions {
  services: Pick<ChatServices, 'chat' | 'approvals' | 'turns'>;
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Questions over many documents, whose answers are checked sentence by sentence. */
export const askRoutes: FastifyPluginAsyncZod<AskRouteOptions> = async (
  app,
  { services: { chat, approvals, turns }, admission, streams },
) => {
  app.post(
    path,
    {
      sse: 'manual',
      bodyLimit,
      schema: {
        tags,
        operationId: 'ask',
        summary: 'Ask a question over many documents',
        description:
          'Starts a turn like that of a chat, over the documents of `scope`. Before the answer is done, each sentence is checked against what its citations `[[id]]` hold: `claims` is in the answer, and in an event before `done`. What is unsupported goes back to the model once. The check is a filter and not a proof. `coverage` says which documents lack a result or a value.',
        params: askPath,
        body: askBody.meta({
          examples: [{ messages: [{ role: 'user', content: 'What did we pay Contoso, by currency?' }] }],
        }),
        errors: [
          'last_message_not_user',
          'model_not_enabled',
          'thread_not_found',
          'turn_running',
          'turn_taken_over',
          'turn_timeout',
          'scope_too_large',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      },
    },
    (request, reply) => {
      const { scope, ...body } = request.body;
      const ask = { ...(scope && { scope }), ...localeOf(request) };
      const manual = { auto_approve: false, auto_approved_tools: [] };
      return answer(request, reply, body.stream, () =>
        chat.start(request.actor, askPlace, { ...body, ...manual, ask }),
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
        operationId: 'decideAskTurn',
        summary: 'Answer the questions of a turn, or decide on its calls',
        params: askPath,
        body: approveBody,
        errors: [
          'remember_needs_approval',
          'remember_needs_waiting_call',
          'unprocessable.decided_twice',
          'admin_required',
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
          'scope_too_large',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      },
    },
    (request, reply) =>
      answer(request, reply, request.body.stream, () => approvals.approve(request.actor, askPlace, request.body)),
  );

  app.get(
    `${path}/turns/:turn_id`,
    {
      schema: {
        tags,
        operationId: 'getAskTurn',
        summary: 'Get the current state of a question’s turn',
        params: turnPath,
        errors: ['turn_not_found'],
        response: { 200: turnState },
      },
    },
    (request) => turns.state(request.actor, askPlace, request.params.turn_id),
  );

  app.post(
    `${path}/turns/:turn_id/stop`,
    {
      schema: {
        tags,
        operationId: 'stopAskTurn',
        summary: 'Stop a question’s turn',
        params: turnPath,
        errors: ['turn_not_found'],
        response: { 200: turnState },
      },
    },
    (request) => turns.stop(request.actor, askPlace, request.params.turn_id),
  );

  app.get(
    `${path}/turns/:turn_id/events`,
    {
      sse: 'manual',
      schema: {
        tags,
        operationId: 'followAskTurn',
        summary: 'Replay and follow a question’s turn (SSE)',
        description: 'Every event after `Last-Event-ID`, across pauses up to the turn’s end.',
        params: turnPath,
        errors: ['turn_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: turnEvent } } },
          204: z.undefined().describe('The turn has ended, and `Last-Event-ID` is its last event.'),
        },
      },
    },
    async (request, reply) => {
      const { turn_id } = request.params;
      const log = await turns.events(request.actor, askPlace, turn_id);
      const after = lastEventId(request.headers['last-event-id']);
      const closing = streams.stream(request, reply);
      const isEnded = after > 0 && !active.has((await turns.state(request.actor, askPlace, turn_id)).status);
      await streamTurnEvents(reply, { log, after, untilClosing: false, closing, isEnded });
    },
  );

  /** Reserves the stream first: a turn must not start if its client cannot receive its events. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    isStream: boolean,
    start: () => Promise<TurnRun>,
  ): Promise<TurnAnswer | undefined> {
    if (!isStream) return await (await admission.run(request, reply, start)).answer;
    const closing = streams.stream(request, reply);
    const { log, after } = await admission.run(request, reply, start);
    await streamTurnEvents(reply, { log, after, untilClosing: true, closing });
    return undefined;
  }
};

/** The first language that the reader's client accepts. */
function localeOf({ headers }: FastifyRequest): { locale?: string } {
  const [first = ''] = (headers['accept-language'] ?? '').split(/[,;]/u);
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u.test(first.trim()) ? { locale: first.trim() } : {};
}
