import {
  callEvaluationStarted,
  evaluateCallBody,
  objectId,
  turnAnswer,
  turnEvent,
  turnStatus,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import { lastEventId, streamTurnEvents } from '../turns/index.ts';
import type { TurnService } from './turn-service.ts';

const tags = ['chat'];
const turnPath = z.object({ org_id: objectId, document_id: objectId, turn_id: objectId });
const path = '/v0/orgs/:org_id/documents/:document_id/chat/turns/:turn_id';
/** In which more events are to come. */
const active = new Set<string>(['running', 'awaiting_approval', 'awaiting_answers']);
const turnState = turnAnswer.extend({ status: z.union([turnStatus, z.literal('running')]) });

/** Started turns, for the user who started them. */
export const turnRoutes: FastifyPluginAsyncZod<{ services: { turns: TurnService }; streams: StreamAdmission }> = async (
  app,
  { services: { turns }, streams },
) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'getTurn',
        summary: 'Get the present state of a turn',
        description:
          'Its answer as of the last pause or end. In between `status` is `running`, with what has been said and done so far.',
        params: turnPath,
        errors: ['document_not_found', 'turn_not_found'],
        response: { 200: turnState },
      },
    },
    (request) => turns.state(request.actor, request.params.document_id, request.params.turn_id),
  );

  app.post(
    `${path}/stop`,
    {
      schema: {
        tags,
        operationId: 'stopTurn',
        summary: 'Stop a turn',
        description:
          'Ends a running turn at the next safe point; what was done stays. A waiting one ends with its calls rejected, an ended one stays as it is.',
        params: turnPath,
        errors: ['document_not_found', 'turn_not_found'],
        response: { 200: turnState },
      },
    },
    (request) => turns.stop(request.actor, request.params.document_id, request.params.turn_id),
  );

  app.post(
    `${path}/calls/:call_id/evaluate`,
    {
      schema: {
        tags,
        operationId: 'evaluateCall',
        summary: 'Measure what a waiting call would do',
        description:
          'For the turn’s person, where an `update_prompt` or `update_schema` waits: extracts from verified documents as the call would have it, and compares. The turn goes on waiting; its call has the evaluation in `preview.evaluation` from now on. A change to a schema measures every prompt that is linked to it. Name the `evaluation_id` with the decision, and the call runs only while it still is what was measured.',
        params: turnPath.extend({ call_id: z.string().max(200) }),
        body: evaluateCallBody.nullish(),
        errors: [
          'document_not_found',
          'turn_not_found',
          'call_not_found',
          'turn_not_waiting',
          'not_measurable',
          'nothing_verified',
          'nothing_comparable',
          'unknown_reference',
          'invalid_schema',
          'model_not_enabled',
          'budget_exhausted',
          'prompt_not_found',
          'viewer_cannot_write',
          'too_many_evaluations',
        ],
        response: { 202: callEvaluationStarted },
      },
    },
    async (request, reply) => {
      const { document_id, turn_id, call_id } = request.params;
      return reply
        .code(202)
        .send(await turns.evaluate(request.actor, document_id, turn_id, call_id, request.body ?? {}));
    },
  );

  app.get(
    `${path}/events`,
    {
      sse: 'manual',
      schema: {
        tags,
        operationId: 'followTurn',
        summary: 'Replay and follow a turn (SSE)',
        description:
          'Every event after `Last-Event-ID`, each as it was, over pauses up to the turn’s end. Ids only grow; after the death of a process some are left out, and `turn_started` with `resumed: true` says that the round which had not been executed is told anew. Events are kept as long as the turn may wait, and a day after.',
        errors: ['document_not_found', 'turn_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: turnEvent } } },
          204: z.undefined().describe('The turn has ended, and `Last-Event-ID` is its last event.'),
        },
        params: turnPath,
      },
    },
    async (request, reply) => {
      const log = await turns.events(request.actor, request.params.document_id, request.params.turn_id);
      const after = lastEventId(request.headers['last-event-id']);
      const closing = streams.stream(request, reply);
      const { document_id, turn_id } = request.params;
      const isEnded = after > 0 && !active.has((await turns.state(request.actor, document_id, turn_id)).status);
      await streamTurnEvents(reply, { log, after, untilClosing: false, closing, isEnded });
    },
  );
};
