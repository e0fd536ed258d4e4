import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCResponse } from '@modelcontextprotocol/server';
import type { Connection } from 'mongoose';
import { questionModel } from './question-model.ts';

/** Questions to the clients of one session or access token, and their answers, through the database: any process may be given the answer. */
export interface QuestionRepository {
  /** To be called before the question is asked. */
  open(id: string): Promise<void>;
  /** Takes an answer; one to a question that came with another credential is dropped. */
  answer(response: JSONRPCResponse): Promise<void>;
  /** Waits for the answer; undefined once the signal is aborted. */
  wait(id: string, signal: AbortSignal): Promise<JSONRPCResponse | undefined>;
}

const keptMs = 60 * 60_000;
const lookAgainMs = 250;
/** The answer to a question that can only be agreed to is short. */
const longestAnswer = 64_000;

export function createQuestionRepositories(connection: Connection): (credential: string) => QuestionRepository {
  const model = questionModel(connection);
  return (credential) => ({
    async open(id) {
      await model.create({ _id: id, credential, expires_at: new Date(Date.now() + keptMs) });
    },
    async answer(response) {
      const answer = JSON.stringify(response);
      if (answer.length > longestAnswer) return;
      await model.updateOne({ _id: String(response.id), credential, answer: { $exists: false } }, { $set: { answer } });
    },
    async wait(id, signal) {
      while (!signal.aborted) {
        const found = await model.findOne({ _id: id, credential }, { answer: 1 }).lean();
        if (found?.answer !== undefined) return JSON.parse(found.answer) as JSONRPCResponse;
        await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
      }
      return undefined;
    },
  });
}
