import { turnAnswer, turnEvent, type TurnAnswer } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { leavePlace } from '../../platform/places/request-places.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { streamTurnEvents } from '../turns/index.ts';
import type { RunningTurn } from './running/turn-runner.ts';

/** The largest body of a message or decision, in bytes. */
export const turnBodyLimit = 16 * 1024 * 1024;

/** How a streamed turn answers, for descriptions of routes. */
export const streaming =
  'With `stream: true` the answer is `text/event-stream` up to the next pause or end of the turn: frames with `id` (from 1 in the turn), `event` and `data`; the last event is `done` or `error`. A turn keeps running when its client disconnects.';

/** The answers of a route that starts or resumes a turn. */
export const answerOrEvents = {
  description: 'The complete answer, or the turn’s events as they happen.',
  content: { 'application/json': { schema: turnAnswer }, 'text/event-stream': { schema: turnEvent } },
};

interface Admissions {
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Answers with the result of a turn, or with its events as they happen. */
export function answerTurn({ admission, streams }: Admissions) {
  /** Reserves the stream first: a turn must not start if its client cannot receive its events. */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    isStream: boolean,
    start: () => Promise<RunningTurn>,
    admit: TurnAdmission['run'] = (...args) => admission.run(...args),
  ): Promise<TurnAnswer | undefined> => {
    if (!isStream) {
      const { answer } = await admit(request, reply, start);
      leavePlace(request);
      return await answer;
    }
    const closing = streams.stream(request, reply);
    const { log, after } = await admit(request, reply, start);
    await streamTurnEvents(reply, { log, after, untilClosing: true, closing });
    return undefined;
  };
}
