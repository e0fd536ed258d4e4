import { DomainError } from '@docwright/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPartyPlaces, type TakePlace } from './party-places.ts';
import type { TurnLimits } from './turn-limits.ts';
import type { CountTurn } from './turn-rate-repository.ts';

/** Seconds after which it is worth while to try again, where nobody knows when a place will be free. */
const tryAgainSeconds = 5;

/** Keeps one person or organization from taking all of the server for its turns. */
export interface TurnAdmission {
  /** Starts a run within the limits; throws `too_many_turns` (429 with `retry-after`) beyond them. */
  run<Run extends { readonly answer: Promise<unknown> }>(
    request: FastifyRequest,
    reply: FastifyReply,
    start: () => Promise<Run>,
  ): Promise<Run>;
}

/** `countTurn` counts in all processes; what this one alone would refuse already is not counted there. */
export function createTurnAdmission(
  app: Pick<FastifyInstance, 'createRateLimit'>,
  limits: TurnLimits,
  countTurn: CountTurn,
): TurnAdmission {
  const { turnsPerMinute, runningTurns } = limits;
  const rates = [
    app.createRateLimit({
      max: turnsPerMinute.person,
      timeWindow: 60_000,
      keyGenerator: ({ actor }) => `turns of ${actor.organizationId}/${actor.userId}`,
    }),
    app.createRateLimit({
      max: turnsPerMinute.organization,
      timeWindow: 60_000,
      keyGenerator: ({ actor }) => `turns of ${actor.organizationId}`,
    }),
  ];
  const runPlaces = createPartyPlaces(runningTurns, () =>
    tooMany('Too many of your turns, or of your organization’s, run at the moment. Wait until one ends.'),
  );

  /** Where there is no place, says when to come again. */
  function take(places: TakePlace, request: FastifyRequest, reply: FastifyReply): () => void {
    try {
      return places(request.actor);
    } catch (error) {
      void reply.header('retry-after', tryAgainSeconds);
      throw error;
    }
  }

  return {
    async run(request, reply, start) {
      for (const check of rates) {
        const rate = await check(request);
        if (rate.isAllowed || !rate.isExceeded) continue;
        throw tooOften(reply, rate.ttlInSeconds);
      }
      const counted = await countTurn(request.actor);
      if (counted.person > turnsPerMinute.person || counted.organization > turnsPerMinute.organization) {
        throw tooOften(reply, counted.endsInSeconds);
      }
      const leave = take(runPlaces, request, reply);
      try {
        const run = await start();
        // Whether the run ends well is for whoever waits for its answer.
        void run.answer.then(leave, leave);
        return run;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

function tooOften(reply: FastifyReply, seconds: number): DomainError {
  void reply.header('retry-after', seconds);
  return tooMany(`Too many turns within a minute. Try again in ${seconds} seconds.`);
}

function tooMany(message: string): DomainError {
  return new DomainError('rate_limited', 'too_many_turns', message);
}
