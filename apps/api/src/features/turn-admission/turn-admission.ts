import { DomainError } from '@docwright/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPartyPlaces } from './party-places.ts';
import type { TurnLimits } from './turn-limits.ts';
import type { CountTurn } from './turn-rate-repository.ts';

/** Limits the turns of one user and one organization. */
export interface TurnAdmission {
  /** Starts a run within the limits. Throws `too_many_turns` (429 with `retry-after`). */
  run<Run extends { readonly answer: Promise<unknown> }>(
    request: FastifyRequest,
    reply: FastifyReply,
    start: () => Promise<Run>,
  ): Promise<Run>;
  /**
   * Repeats a decision that was stored before: it starts no turn, so it has places of its own and no limit per minute. A
   * client that repeats it after a restart gets its answer although all turns of its user are running.
   */
  repeat<Run extends { readonly answer: Promise<unknown> }>(
    request: FastifyRequest,
    reply: FastifyReply,
    start: () => Promise<Run>,
  ): Promise<Run>;
}

/** `countTurn` counts over all processes. Turns that this process rejects by its own counters are not counted there. */
export function createTurnAdmission(
  app: Pick<FastifyInstance, 'createRateLimit'>,
  limits: TurnLimits,
  apiProcesses: () => number,
  countTurn: CountTurn,
): TurnAdmission {
  const { turnsPerMinute, runningTurns } = limits;
  const rates = [
    app.createRateLimit({
      max: turnsPerMinute.user,
      timeWindow: 60_000,
      keyGenerator: ({ actor }) => `turns of ${actor.organizationId}/${actor.userId}`,
    }),
    app.createRateLimit({
      max: turnsPerMinute.organization,
      timeWindow: 60_000,
      keyGenerator: ({ actor }) => `turns of ${actor.organizationId}`,
    }),
  ];
  const takeRepeatPlace = createPartyPlaces(runningTurns, apiProcesses, () =>
    tooMany('Too many requests wait for the answer of a stored decision. Wait until one is answered.'),
  );
  const takePlace = createPartyPlaces(runningTurns, apiProcesses, () =>
    tooMany('You or your organization have too many running turns. Wait until one ends.'),
  );

  return {
    async run(request, reply, start) {
      for (const check of rates) {
        const rate = await check(request);
        if (rate.isAllowed || !rate.isExceeded) continue;
        throw tooOften(reply, rate.ttlInSeconds);
      }
      const counted = await countTurn(request.actor);
      if (counted.user > turnsPerMinute.user || counted.organization > turnsPerMinute.organization) {
        throw tooOften(reply, counted.endsInSeconds);
      }
      return await within(takePlace(request, reply), start);
    },
    repeat: async (request, reply, start) => within(takeRepeatPlace(request, reply), start),
  };
}

async function within<Run extends { readonly answer: Promise<unknown> }>(
  leave: () => void,
  start: () => Promise<Run>,
): Promise<Run> {
  try {
    const run = await start();
    // The caller handles the result of the run.
    void run.answer.then(leave, leave);
    return run;
  } catch (error) {
    leave();
    throw error;
  }
}

function tooOften(reply: FastifyReply, seconds: number): DomainError {
  void reply.header('retry-after', seconds);
  return tooMany(`Too many turns within a minute. Try again in ${seconds} seconds.`);
}

function tooMany(message: string): DomainError {
  return new DomainError('rate_limited', 'too_many_turns', message);
}
