import type { AgentMessageProgress, AgentToolCall } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeases } from '../../platform/leases/leases.ts';
import { agentConversationModel, type AgentConversationRecord, type ConversationLock } from './conversation-model.ts';

/** A claim of a conversation: no other process works in it. `token` is the fencing token. */
export interface ConversationLease {
  readonly id: string;
  readonly token: string;
}

/** An unfinished answer. It is stored with the lease: for readers, and for the process that resumes after a crash. */
export interface AnswerUnderWay {
  started_at: string;
  message: string;
  text: string;
  /** `result` is what the tool gave; absent while the call runs. */
  tool_calls: (AgentToolCall & { call_id: string; success: boolean | null })[];
  subagents: AgentMessageProgress['subagents'];
}

/** Leases of conversations, by the database's clock. */
export interface ConversationLeaseRepository {
  /**
   * Undefined while another holder has the lease. A lease that is not renewed expires after `milliseconds`, and at once where
   * its process is known to have died. `orphaned`: the unfinished answer of a process that died.
   */
  take(
    id: string,
    milliseconds: number,
    answer?: AnswerUnderWay,
  ): Promise<{ lease: ConversationLease; orphaned: AnswerUnderWay | undefined } | undefined>;
  /** Also stores the unfinished answer, if given, and reports whether a stop was requested. */
  renew(
    lease: ConversationLease,
    milliseconds: number,
    answer?: AnswerUnderWay,
  ): Promise<{ isHeld: boolean; isStopWanted: boolean }>;
  release(lease: ConversationLease): Promise<void>;
  /** Requests a stop of the answer in progress. */
  requestStop(id: string): Promise<void>;
}

export function createConversationLeaseRepository(connection: Connection): ConversationLeaseRepository {
  const conversations = agentConversationModel(connection);
  const leases = createLeases<AgentConversationRecord>(conversations.collection, {
    token: 'lock.token',
    until: 'lock.until',
    holder: 'lock.holder',
  });
  const one = (id: string) => ({ _id: new mongoose.Types.ObjectId(id) });
  // A text that begins with a dollar sign would be read as the path of a field.
  const stored = (answer: AnswerUnderWay) => ({ $literal: JSON.stringify(answer) });

  return {
    async take(id, milliseconds, answer) {
      const set = { 'lock.answer': answer === undefined ? null : stored(answer), 'lock.stop_wanted': false };
      const claim = await leases.claim(one(id), { milliseconds, set, before: true });
      return claim && { lease: { id, token: claim.token }, orphaned: answerOf(claim.record.lock) };
    },
    async renew({ id, token }, milliseconds, answer) {
      const record = await leases.renew(one(id), token, milliseconds, answer && { 'lock.answer': stored(answer) });
      return { isHeld: record !== undefined, isStopWanted: record?.lock?.stop_wanted === true };
    },
    async release({ id, token }) {
      await leases.write(one(id), token, { $set: { lock: null } });
    },
    async requestStop(id) {
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
