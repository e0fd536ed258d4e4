import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@docwright/contract';
import { createBoundedQueue } from '../../platform/places/bounded-queue.ts';
import { createFairPlaces } from '../../platform/places/fair-places.ts';
import { pollInTurn } from '../../platform/places/polls.ts';
import type { Actor } from '../identity/index.ts';

interface CallLimits {
  /** Calls that run at once, and of an organization. */
  inAll: number;
  ofOrganization: number;
  /**
   * How long a call keeps a place that others could have, in milliseconds: one that still runs then most likely waits for a
   * model. It keeps the share of its organization, unless it is a turn, of which fewer run at once anyway.
   */
  maxHeldMs: number;
  /** Calls that wait for a place: of an organization, and in all. */
  maxWaiting: { ofParty: number; inAll: number };
}

const usualLimits: CallLimits = {
  inAll: 6,
  ofOrganization: 3,
  maxHeldMs: 2_000,
  maxWaiting: { ofParty: 200, inAll: 1_000 },
};

/** An estimate. */
const retryAfterSeconds = 5;

/** The place of a call. */
export interface CallPlace {
  /** Gives it back; also called for a call that begins to wait for a person. */
  leave: () => void;
  /** The call is a turn from now on, which has limits of its own: its place is soon given back. */
  turnRuns: () => void;
}

export type McpCallPlaces = ReturnType<typeof createCallPlaces>;

/**
 * Calls of MCP clients take turns by organization: a client can make hundreds at once, each with many commands to the
 * database, and requests of all others would wait for them.
 */
export function createCallPlaces({ inAll, ofOrganization, maxHeldMs, maxWaiting }: CallLimits = usualLimits) {
  const shares = createFairPlaces({ inAll: Infinity, ofParty: ofOrganization });
  const places = createFairPlaces({ inAll, ofParty: ofOrganization });
  const enterBoth = async (organizationId: string, signal?: AbortSignal) => {
    const leaveShare = await shares(organizationId, signal);
    try {
      const leavePlace = await places(organizationId, signal);
      const timer = setTimeout(leavePlace, maxHeldMs).unref();
      return () => {
        clearTimeout(timer);
        leavePlace();
        leaveShare();
      };
    } catch (error) {
      leaveShare();
      throw error;
    }
  };
  const queue = createBoundedQueue(enterBoth, maxWaiting, tooMany);
  return {
    /** Throws `too_many_calls` if too many calls of the organization wait already. */
    requireRoom: (organizationId: string): void => queue.requireRoom(organizationId),
    /** Waits for the turn of a call; one whose signal aborts leaves the queue. */
    async enter(organizationId: string, signal?: AbortSignal): Promise<CallPlace> {
      const leave = await queue.enter(organizationId, signal);
      return { leave, turnRuns: () => void setTimeout(leave, maxHeldMs).unref() };
    },
  };
}

const pollMs = 1_000;

interface Cancellation {
  /** Aborts when the client has left. */
  left: AbortSignal;
  /** Whether the client has cancelled the call by another request, as in earlier revisions. */
  isCancelled: () => Promise<boolean>;
}

/** Runs a part of a call that ends when its client leaves or cancels the call. */
export async function untilCancelled<Answer>(
  actor: Actor,
  { left, isCancelled }: Cancellation,
  run: (ended: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const cancelled = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    for (;;) {
      await sleep(pollMs, undefined, { signal: done.signal }).catch(() => undefined);
      if (done.signal.aborted) return;
      // A check that failed is repeated.
      if (await pollInTurn(actor, isCancelled).catch(() => false)) return cancelled.abort();
    }
  };
  void watch();
  return run(AbortSignal.any([left, cancelled.signal])).finally(() => done.abort());
}

function tooMany(): DomainError {
  const message = `Too many calls of MCP clients wait. Make fewer at once, and try again in ${retryAfterSeconds} seconds.`;
  return new DomainError('rate_limited', 'too_many_calls', message, { retry_after_seconds: retryAfterSeconds });
}
