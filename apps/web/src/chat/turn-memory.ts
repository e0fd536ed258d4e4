import { readStored, writeStored } from '../ui/stored-value.ts';

const key = (threadId: string) => `docwright.turn.${threadId}`;

/** Which turn of a thread was running in this browser, so that a reload in the middle finds back to it. */
export const rememberTurn = (threadId: string, turnId: string) => writeStored(key(threadId), turnId);
export const forgetTurn = (threadId: string) => writeStored(key(threadId), null);
export const rememberedTurn = (threadId: string) => readStored(key(threadId)) ?? undefined;
