import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { createFairPlaces } from '../places/fair-places.ts';
import { isLargeBody } from '../places/large-body.ts';
import { partyOf } from '../places/party-of.ts';
import { whenClosed } from '../streams/when-closed.ts';

interface BodyLimits {
  /** Large bodies that a process receives at once, and of an organization. */
  inAll: number;
  ofParty: number;
  /** While others wait, a body that has taken so many milliseconds must have brought so many bytes a second. */
  patientMs: number;
  bytesPerSecond: number;
  /** How long a client may send nothing, in milliseconds. */
  stallMs: number;
}

interface OpenBody {
  since: number;
  request: FastifyRequest;
  reply: FastifyReply;
  /** What its connection had brought before. */
  bytesBefore: number;
}

const usualLimits: BodyLimits = {
  inAll: 8,
  ofParty: 4,
  patientMs: 60_000,
  bytesPerSecond: 256 * 1024,
  stallMs: 60_000,
};
const looksPerPatience = 6;

/**
 * A body is in memory until it is complete, and a client can open any number of connections and complete none. So few large ones
 * are received at once, and a later one is not read until it has a place. A client that sends nothing, or sends too slowly while
 * others wait, loses its own.
 */
export const largeBodies = fastifyPlugin(
  async (app, { limits = usualLimits }: { limits?: BodyLimits }) => {
    const { inAll, ofParty, patientMs, bytesPerSecond, stallMs } = limits;
    const enter = createFairPlaces({ inAll, ofParty });
    const open = new Set<OpenBody>();
    let waiting = 0;

    function breakOffSlow(): void {
      if (waiting === 0) return;
      for (const { since, request, reply, bytesBefore } of open) {
        const milliseconds = performance.now() - since;
        const bytes = request.raw.socket.bytesRead - bytesBefore;
        if (milliseconds > patientMs && bytes / milliseconds < bytesPerSecond / 1_000) reply.raw.destroy();
      }
    }
    const timer = setInterval(breakOffSlow, patientMs / looksPerPatience).unref();
    app.addHook('onClose', async () => clearInterval(timer));

    app.addHook('preParsing', async (request, reply) => {
      if (!isLargeBody(request)) return;
      waiting += 1;
      const leave = await enter(partyOf(request));
      waiting -= 1;
      const body = { since: performance.now(), request, reply, bytesBefore: request.raw.socket.bytesRead };
      open.add(body);
      const giveBack = (): void => {
        open.delete(body);
        leave();
      };
      request.raw.once('close', giveBack);
      whenClosed(reply.raw, giveBack);
      reply.raw.setTimeout(stallMs, () => void (request.raw.complete || reply.raw.destroy()));
    });
  },
  { name: 'large-bodies' },
);
