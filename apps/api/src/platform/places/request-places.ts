import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { createFairPlaces } from './fair-places.ts';
import { isLargeBody } from './large-body.ts';
import { partyOf } from './party-of.ts';

interface RequestLimits {
  /** Requests that are worked on at once, and of an organization. */
  inAll: number;
  ofParty: number;
  /** How long a request keeps its place, in milliseconds: one that still runs then most likely waits for something else. */
  maxHeldMs: number;
}

/** As many as keep the process and a database that is a few milliseconds away busy. */
const usualLimits: RequestLimits = { inAll: 8, ofParty: 6, maxHeldMs: 250 };

const places = new WeakMap<FastifyRequest, () => void>();

/** Gives the place of a request back before its answer is complete: from now on it waits for a model or for events. */
export function leavePlace(request: FastifyRequest): void {
  places.get(request)?.();
}

/**
 * Requests take turns by organization: an organization that sends hundreds at once would otherwise make each request of another
 * one wait until all of its own are answered. A small body is received before: a client that never completes it takes no place.
 * Large ones take turns at being received, and are not read while they wait.
 */
export const requestPlaces = fastifyPlugin(
  async (app, { limits = usualLimits }: { limits?: RequestLimits }) => {
    const enter = createFairPlaces(limits);
    const takesPlace = ({ routeOptions: { url = '' } }: FastifyRequest) => /^\/(?:v0|api|mcp)(?:\/|$)/u.test(url);

    async function waitForPlace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const leave = await enter(partyOf(request));
      // Its client left while it waited: nobody reads an answer, and without a place the work of many would run at once.
      if (reply.raw.destroyed || reply.raw.closed) {
        leave();
        reply.hijack();
        return;
      }
      const timer = setTimeout(leave, limits.maxHeldMs).unref();
      const giveBack = (): void => {
        clearTimeout(timer);
        leave();
      };
      places.set(request, giveBack);
      reply.raw.once('close', giveBack);
    }

    app.addHook('preParsing', async (request, reply) => {
      if (takesPlace(request) && !hasSmallBody(request)) await waitForPlace(request, reply);
    });
    app.addHook('preValidation', async (request, reply) => {
      if (takesPlace(request) && hasSmallBody(request)) await waitForPlace(request, reply);
    });
  },
  { name: 'request-places' },
);

const hasSmallBody = (request: FastifyRequest): boolean =>
  Number(request.headers['content-length'] ?? 0) > 0 && !isLargeBody(request);
