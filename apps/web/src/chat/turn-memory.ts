import type { Thread } from '@docwright/contract';
import { readStored, writeStored } from '../ui/stored-value.ts';

const key = (threadId: string) => `docwright.turn.${threadId}`;

/** Which turn of a thread runs, kept in this browser so that a reload in the middle finds back to it. */
export const rememberTurn = (threadId: string, turnId: string) => writeStored(key(threadId), turnId);
export const forgetTurn = (threadId: string) => writeStored(key(threadId), null);

/** The turn to follow after a reload: one that was running and, by what is stored, has come neither to a pause nor to its end. */
export function turnToFollow(thread: Thread): string | undefined {
  const last = thread.messages.at(-1);
  const saidLastWord = last?.role === 'assistant' && (last.tool_calls ?? []).length === 0;
  if (thread.pending_turn || saidLastWord) return undefined;
  return readStored(key(thread.id)) ?? undefined;
}
