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
/** Statuses after which more events can follow. */
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
        summary: 'Get the current state of a turn',
        description:
          'The answer at the last pause or end. In between, `status` is `running` and the answer has the text and calls so far.',
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
          'Ends a running turn at the next safe point; executed calls are kept. A pending turn ends with its calls rejected. A finished turn does not change.',
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
        summary: 'Measure the effect of a pending call',
        description:
          'For the user of the turn and a pending `update_prompt` or `update_schema`: extracts from verified documents with the proposed change and compares the results. The turn stays pending; `preview.evaluation` of its call has the evaluation from now on. A change to a schema measures every prompt that is linked to it. With `evaluation_id` in the decision, the call runs only if it is still the call that was measured.',
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
          'Every event after `Last-Event-ID`, unchanged, across pauses up to the turn’s end. Ids only grow. If a process dies some ids are skipped, and `turn_started` with `resumed: true` announces that the unfinished round is emitted again. Events are stored as long as the turn can wait, plus one day.',
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
