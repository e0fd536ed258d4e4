import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

/** Who takes nothing for so long has gone, whatever the connection says, and can begin anew. */
const stalledAfterMs = 120_000;

/** A stream of server-sent events to one client, who may read slowly, not at all, or go. */
interface EventStream {
  /** Aborts when the client or the server goes. */
  signal: AbortSignal;
  /** Sends the head; what comes after cannot be an error any more. Done by the first `write` otherwise. */
  open(): void;
  /** Resolves when the client may be sent more, so that nothing piles up here, and when it or the server has gone. */
  write(frames: string): Promise<void>;
}

/** For routes with `sse: 'manual'`. */
export function createEventStream(
  reply: FastifyReply,
  closing: AbortSignal,
  giveUpAfterMs = stalledAfterMs,
): EventStream {
  const gone = new AbortController();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  let isOpen = false;

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    // The answer is written here and not by Fastify, which would else complain that the handler returned nothing.
    reply.hijack();
    reply.sse.sendHeaders();
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
    signal,
    open,
    async write(frames) {
      if (signal.aborted) return;
      open();
      if (!raw.write(frames)) await drained();
    },
  };
}

/** Sends what comes, numbered, each under its type. The next one is asked for when the client can take it. */
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
