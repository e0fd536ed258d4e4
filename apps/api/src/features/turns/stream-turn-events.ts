import type { FastifyReply } from 'fastify';
import { createEventStream } from '../../platform/streams/event-stream.ts';
import type { TurnEvents } from './followed-turn.ts';

/**
 * Sends what a turn says as SSE until its next closing event, or until its end, or until the client or the server goes.
 * A client that reads slowly is waited for; what it has not read yet stands in the turn's log once, not in a queue of its
 * own. The turn itself does not notice any of it. Of a turn that `isEnded` and has nothing more to tell the answer is 204.
 */
export async function streamTurnEvents(
  reply: FastifyReply,
  {
    log,
    after,
    untilClosing,
    closing,
    isEnded = false,
  }: { log: TurnEvents; after: number; untilClosing: boolean; closing: AbortSignal; isEnded?: boolean },
): Promise<void> {
  const stream = createEventStream(reply, closing);
  if (!isEnded) stream.open();
  let isEmpty = true;
  for await (const frames of log.follow(after, untilClosing, stream.signal)) {
    isEmpty = false;
    await stream.write(frames);
  }
  // An EventSource opens a stream that ended again and again; after 204 it stops.
  if (isEnded && isEmpty) await reply.code(204).send();
}

/** The id after which a replay begins; a header that is no id replays everything. */
export function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/u.test(header) ? Number(header) : 0;
}
