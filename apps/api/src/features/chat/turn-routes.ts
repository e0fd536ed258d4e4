import { objectId, turnAnswer, turnEvent, turnStatus } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { ConversationArea } from '../threads/index.ts';
import { lastEventId, streamTurnEvents } from '../turns/index.ts';
import type { TurnService } from './turn-service.ts';

/** Statuses after which more events can follow. */
const active = new Set<string>(['running', 'awaiting_approval', 'awaiting_answers']);
const turnState = turnAnswer.extend({ status: z.union([turnStatus, z.literal('running')]) });

/** Started turns, for the user who started them. */
export const turnRoutes: FastifyPluginAsyncZod<{
  area: ConversationArea;
  services: { turns: TurnService };
  streams: StreamAdmission;
}> = async (app, { area, services: { turns }, streams }) => {
  const operation = operationsOf(area.tag);
  const path = `${area.path}/turns/:turn_id`;
  const turnPath = area.params.extend({ turn_id: objectId });

  app.get(
    path,
    operation({
      operationId: area.operationId('getTurn'),
      summary: 'Get the current state of a turn',
      description:
        'The answer at the last pause or end. In between, `status` is `running` and the answer has the text and calls so far.',
      params: turnPath,
      errors: [...area.errors, 'turn_not_found'],
      response: { 200: turnState },
    }),
    (request) => turns.state(request.actor, area.placeOf(request.params), request.params.turn_id),
  );

  app.post(
    `${path}/stop`,
    operation({
      operationId: area.operationId('stopTurn'),
      summary: 'Stop a turn',
      description:
        'Ends a running turn at the next safe point; executed calls are kept. A pending turn ends with its calls rejected. A finished turn does not change.',
      params: turnPath,
      errors: [...area.errors, 'turn_not_found'],
      response: { 200: turnState },
    }),
    (request) => turns.stop(request.actor, area.placeOf(request.params), request.params.turn_id),
  );

  app.get(
    `${path}/events`,
    {
      sse: 'manual',
      ...operation({
        operationId: area.operationId('followTurn'),
        summary: 'Replay and follow a turn (SSE)',
        description:
          'Every event after `Last-Event-ID`, unchanged, across pauses up to the turn’s end. Ids only grow. If a process dies some ids are skipped, and `turn_started` with `resumed: true` announces that the unfinished round is emitted again. Events are stored as long as the turn can wait, plus one day.',
        errors: [...area.errors, 'turn_not_found', 'too_many_streams'],
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: turnEvent } } },
          204: z.undefined().describe('The turn has ended, and `Last-Event-ID` is its last event.'),
        },
        params: turnPath,
      }),
    },
    async (request, reply) => {
      const { turn_id } = request.params;
      const placeId = area.placeOf(request.params);
      const log = await turns.events(request.actor, placeId, turn_id);
      const after = lastEventId(request.headers['last-event-id']);
      const closing = streams.stream(request, reply);
      const isEnded = after > 0 && !active.has((await turns.state(request.actor, placeId, turn_id)).status);
      await streamTurnEvents(reply, { log, after, untilClosing: false, closing, isEnded });
    },
  );
};
