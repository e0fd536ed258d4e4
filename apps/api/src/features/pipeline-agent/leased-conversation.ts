import { DomainError } from '@docwright/contract';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import { storeOrphanedAnswer, type LeftAnswerRepository } from './orphaned-answer.ts';
import type { AnswerUnderWay, ConversationHold, HoldRepository } from './hold-repository.ts';

/** A conversation whose process died is free again after so long, and at once where another on its machine looks. */
export const holdMs = 8_000;
const renewMs = 1_000;

export interface LeasedConversation {
  readonly hold: ConversationHold;
  /** Aborts where the hold was lost. */
  readonly lost: AbortSignal;
  /** Aborts a second or two after somebody asked for the end, in whichever process. */
  readonly stopWanted: AbortSignal;
  readonly release: () => Promise<void>;
}

export interface HoldDependencies {
  holds: HoldRepository;
  conversations: LeftAnswerRepository;
}

/**
 * Works in a conversation while nobody else does, in whichever process: takes it, renews the hold, keeps with it how far
 * the answer is, and lets it go when the work is done. What a process that died had answered is kept first. Throws
 * `message_running` where somebody else has it.
 */
export async function takeConversation(
  { holds, conversations }: HoldDependencies,
  id: string,
  answer?: () => AnswerUnderWay,
): Promise<LeasedConversation> {
  const taken = await holds.take(id, holdMs, answer?.());
  if (taken === undefined) {
    const message = 'A message of this conversation is still being answered. Wait for its answer, or stop it.';
    throw new DomainError('conflict', 'message_running', message);
  }
  const { hold, left } = taken;
  const stop = new AbortController();
  let kept: AnswerUnderWay | undefined;
  const heartbeat = startHeartbeat(async () => {
    const current = answer?.();
    const renewed = await holds.renew(hold, holdMs, current === kept ? undefined : current);
    kept = current;
    if (renewed.isStopWanted) stop.abort();
    return renewed.isHeld;
  }, renewMs);
  const release = async () => {
    await heartbeat.stop();
    await holds.release(hold);
  };
  try {
    if (left !== undefined) await storeOrphanedAnswer(conversations, hold, left);
  } catch (error) {
    await release();
    throw error;
  }
  return { hold, lost: heartbeat.lost, stopWanted: stop.signal, release };
}
