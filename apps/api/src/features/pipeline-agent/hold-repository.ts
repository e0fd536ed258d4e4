import type { AgentMessageProgress, AgentToolCall } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeases } from '../../platform/leases/leases.ts';
import { agentConversationModel, type AgentConversationRecord, type ConversationLock } from './conversation-model.ts';

/** Who works in a conversation now: nobody else does, in whichever process. */
export interface ConversationHold {
  readonly id: string;
  readonly token: string;
}

/** A message that is being answered, kept on its hold for whoever looks, and for whoever finds it left by a dead process. */
export interface AnswerUnderWay {
  started_at: string;
  message: string;
  text: string;
  /** `result` is what the tool gave; absent while the call runs. */
  tool_calls: (AgentToolCall & { call_id: string; success: boolean | null })[];
  subagents: AgentMessageProgress['subagents'];
}

/** Holds of conversations, by the database's clock. */
export interface HoldRepository {
  /**
   * Undefined while somebody else holds it. One that is not renewed is free again after `milliseconds`, and one whose
   * process is known to have died at once. `left`: the answer that a process which died was in the middle of.
   */
  take(
    id: string,
    milliseconds: number,
    answer?: AnswerUnderWay,
  ): Promise<{ hold: ConversationHold; left: AnswerUnderWay | undefined } | undefined>;
  /** Also keeps how far the answer is, where it is given, and tells whether somebody wants its end. */
  renew(
    hold: ConversationHold,
    milliseconds: number,
    answer?: AnswerUnderWay,
  ): Promise<{ isHeld: boolean; isStopWanted: boolean }>;
  release(hold: ConversationHold): Promise<void>;
  /** Asks whoever answers a message of it to end. */
  askToStop(id: string): Promise<void>;
}

export function createHoldRepository(connection: Connection): HoldRepository {
  const conversations = agentConversationModel(connection);
  const leases = createLeases<AgentConversationRecord>(conversations.collection, {
    token: 'lock.token',
    until: 'lock.until',
    holder: 'lock.holder',
  });
  const one = (id: string) => ({ _id: new mongoose.Types.ObjectId(id) });
  // A text that begins with a dollar sign would be read as the path of a field.
  const kept = (answer: AnswerUnderWay) => ({ $literal: JSON.stringify(answer) });

  return {
    async take(id, milliseconds, answer) {
      const set = { 'lock.answer': answer === undefined ? null : kept(answer), 'lock.stop_wanted': false };
      const claim = await leases.claim(one(id), { milliseconds, set, before: true });
      return claim && { hold: { id, token: claim.token }, left: answerOf(claim.record.lock) };
    },
    async renew({ id, token }, milliseconds, answer) {
      const record = await leases.renew(one(id), token, milliseconds, answer && { 'lock.answer': kept(answer) });
      return { isHeld: record !== undefined, isStopWanted: record?.lock?.stop_wanted === true };
    },
    async release({ id, token }) {
      await leases.write(one(id), token, { $set: { lock: null } });
    },
    async askToStop(id) {
      await conversations.updateOne(
        { _id: new mongoose.Types.ObjectId(id), 'lock.answer': { $type: 'string' } },
        { $set: { 'lock.stop_wanted': true } },
      );
    },
  };
}

export function answerOf(lock: ConversationLock | null): AnswerUnderWay | undefined {
  return typeof lock?.answer === 'string' ? (JSON.parse(lock.answer) as AnswerUnderWay) : undefined;
}
