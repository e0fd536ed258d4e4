import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import { leavePlace } from '../places/request-places.ts';
import { whenClosed } from './when-closed.ts';

/** A client that reads nothing for this long counts as gone, and can reconnect. */
const stalledAfterMs = 120_000;

/**
 * What a stopping server sends as the last event of each open stream. It has no id, so that a client asks again for what
 * follows its last event. Clients come back within a second from then on, not all at the same moment.
 */
function stoppingFrame(): string {
  return `retry: ${200 + Math.round(Math.random() * 800)}\nevent: stopping\ndata: {"type":"stopping"}\n\n`;
}

/** For routes with `sse: 'manual'`. */
export function createEventStream(reply: FastifyReply, closing: AbortSignal, giveUpAfterMs = stalledAfterMs) {
  const disconnected = new AbortController();
  const { raw } = reply;
  whenClosed(raw, () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, closing]);
  const stopping = reply.server.closing;
  let isOpen = false;

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    // The answer is written here; without the hijack Fastify complains that the handler returned nothing.
    reply.hijack();
    leavePlace(reply.request);
    reply.sse.sendHeaders();
    if (stopping.aborted) return tell();
    stopping.addEventListener('abort', tell, { once: true });
    whenClosed(raw, () => stopping.removeEventListener('abort', tell));
  }

  function tell(): void {
    if (!disconnected.signal.aborted && !raw.writableEnded) raw.write(stoppingFrame());
  }

  async function drained(): Promise<void> {
    const stalled = AbortSignal.timeout(giveUpAfterMs);
    try {
      await once(raw, 'drain', { signal: AbortSignal.any([signal, stalled]) });
    } catch (error) {
      if (stalled.aborted) raw.destroy();
      else if (!signal.aborted) throw error;
    }
  }

  return {
    /** Aborts when the client disconnects or the server stops. */
    signal,
    /** Sends the headers; errors can no longer change the status. The first `write` does it otherwise. */
    open,
    /** Resolves when the client can take more, so that nothing piles up here, or when the stream has ended. */
    async write(frames: string) {
      if (signal.aborted) return;
      open();
      if (!raw.write(frames)) await drained();
    },
  };
}

/** Sends events, numbered, each under its type. The next one is requested when the client can take it. */
export async function sendEvents(
  reply: FastifyReply,
  closing: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<{ type: string }>,
): Promise<void> {
  const stream = createEventStream(reply, closing);
  let count = 0;
  for await (const event of events(stream.signal)) {
    count += 1;
    await stream.write(`id: ${count}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (stream.signal.aborted) return;
  }
}
