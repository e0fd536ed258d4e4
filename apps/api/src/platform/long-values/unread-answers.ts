import type { ServerResponse } from 'node:http';
import { whenClosed } from '../streams/when-closed.ts';

interface UnreadAnswer {
  party: string;
  bytes: number;
  response: ServerResponse;
}

interface UnreadLimits {
  /** Bytes of all long answers that clients have not read, in the process. */
  inAll: number;
  /** How long a client may read nothing, in milliseconds. */
  stallMs: number;
}

export type UnreadAnswers = ReturnType<typeof createUnreadAnswers>;

const usualLimits: UnreadLimits = { inAll: 128 * 1024 * 1024, stallMs: 60_000 };

/**
 * The long answers that are being sent. Each stays in memory until its client has read it, and a client can open any number
 * of connections and read none. Beyond the limit, answers of the party that holds most are broken off, the oldest first:
 * whoever reads is soon done.
 */
export function createUnreadAnswers({ inAll, stallMs }: UnreadLimits = usualLimits) {
  const unread = new Set<UnreadAnswer>();
  const held = new Map<string, number>();
  let total = 0;

  function forget(answer: UnreadAnswer): void {
    if (!unread.delete(answer)) return;
    total -= answer.bytes;
    const left = held.get(answer.party)! - answer.bytes;
    if (left > 0) held.set(answer.party, left);
    else held.delete(answer.party);
  }

  function breakOff(): void {
    const [largest] = [...held].toSorted(([, one], [, other]) => other - one)[0]!;
    const oldest = [...unread].find(({ party }) => party === largest)!;
    forget(oldest);
    oldest.response.destroy();
  }

  return {
    /** Notes an answer that is about to be sent. */
    add(answer: UnreadAnswer): void {
      const { party, bytes, response } = answer;
      unread.add(answer);
      held.set(party, (held.get(party) ?? 0) + bytes);
      total += bytes;
      whenClosed(response, () => forget(answer));
      response.setTimeout(stallMs, () => response.destroy());
      // A single answer is sent, however long it is.
      while (total > inAll && unread.size > 1) breakOff();
    },
  };
}
