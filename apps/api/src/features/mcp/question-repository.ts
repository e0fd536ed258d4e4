import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCResponse } from '@modelcontextprotocol/server';
import type { Connection } from 'mongoose';
import { pollInTurn } from '../../platform/places/polls.ts';
import type { Actor } from '../identity/index.ts';
import { questionModel } from './question-model.ts';

/**
 * Questions to the clients of one session or access token, and their answers, in the database: any process can receive
 * the answer.
 */
export type QuestionRepository = ReturnType<ReturnType<typeof createQuestionRepositories>>;

/**
 * The key of a client's call, as its cancellation names it: ids are unique within a session. Undefined for a malformed
 * id.
 */
export function callKey(sessionId: string | undefined, requestId: unknown): string | undefined {
  if (sessionId === undefined || sessionId.length > 500) return undefined;
  if (typeof requestId !== 'number' && (typeof requestId !== 'string' || requestId.length > 200)) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([sessionId, requestId]))
    .digest('base64url');
}

const retentionMs = 60 * 60_000;
const pollMs = 250;
/** The answer to a form without fields is short. */
const maxAnswerLength = 64_000;

export function createQuestionRepositories(connection: Connection) {
  const model = questionModel(connection);
  return (credential: string, actor: Actor) => {
    const cancelledId = (call: string) => `cancelled ${credential} ${call}`;
    return {
      /** Call it before asking the question. */
      async open(id: string): Promise<void> {
        await model.create({ _id: id, credential, expires_at: new Date(Date.now() + retentionMs) });
      },
      /** Stores an answer; an answer to another credential's question is dropped. */
      async answer(response: JSONRPCResponse): Promise<void> {
        const answer = JSON.stringify(response);
        if (answer.length > maxAnswerLength) return;
        await model.updateOne(
          { _id: String(response.id), credential, answer: { $exists: false } },
          { $set: { answer } },
        );
      },
      /** Records that the client has cancelled a call, whichever process serves it. */
      async cancel(call: string): Promise<void> {
        const record = { expires_at: new Date(Date.now() + retentionMs) };
        await model.updateOne({ _id: cancelledId(call), credential }, { $set: record }, { upsert: true });
      },
      async isCancelled(call: string): Promise<boolean> {
        return (await model.exists({ _id: cancelledId(call), credential })) !== null;
      },
      /** Waits for the answer; undefined on abort, `cancelled` if the call was cancelled first. */
      async wait(id: string, call: string, signal: AbortSignal): Promise<JSONRPCResponse | 'cancelled' | undefined> {
        while (!signal.aborted) {
          const found = await pollInTurn(actor, async () =>
            model.find({ _id: { $in: [id, cancelledId(call)] }, credential }, { answer: 1 }).lean(),
          );
          if (found.some(({ _id }) => _id === cancelledId(call))) return 'cancelled';
          const answer = found.find(({ _id }) => _id === id)?.answer;
          if (answer !== undefined) return JSON.parse(answer) as JSONRPCResponse;
          await sleep(pollMs, undefined, { signal }).catch(() => undefined);
        }
        return undefined;
      },
    };
  };
}
