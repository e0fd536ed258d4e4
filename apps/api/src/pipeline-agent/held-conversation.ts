import { DomainError } from '@docwright/contract';
import type { AgentConversationRepository, ConversationHold } from './conversation-repository.ts';

/** A conversation whose process died is free again after so long. */
export const holdMs = 15_000;
const renewMs = 4_000;

export type HoldRepository = Pick<AgentConversationRepository, 'take' | 'renew' | 'release'>;

/**
 * Works in a conversation while nobody else does, in whichever process: takes it, renews the hold, and lets it go when
 * the work is done. `signal` aborts where the hold was lost. Throws `message_running` where somebody else has it.
 */
export async function takeConversation(
  conversations: HoldRepository,
  id: string,
): Promise<{ hold: ConversationHold; signal: AbortSignal; release: () => Promise<void> }> {
  const hold = await conversations.take(id, holdMs);
  if (hold === undefined) {
    const message = 'A message of this conversation is still being answered. Wait for its answer.';
    throw new DomainError('conflict', 'message_running', message);
  }
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    // One that fails may succeed the next time; one that finds another's hold may not.
    const isHeld = await conversations.renew(hold, holdMs).catch(() => true);
    if (!isHeld) lost.abort();
  };
  const timer = setInterval(() => {
    void renew();
  }, renewMs);
  timer.unref();
  return {
    hold,
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await conversations.release(hold);
    },
  };
}
