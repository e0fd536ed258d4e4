import type { AgentMessageProgress, AgentToolCall } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeases, type Leases } from '../../platform/leases/leases.ts';
import { agentConversationModel, type AgentConversationRecord, type ConversationLock } from './conversation-model.ts';

/** A lease on a conversation: only its holder works in it. `token` is the fencing token. */
export interface ConversationLease {
  readonly id: string;
  readonly token: string;
}

/** An unfinished answer, stored with the lease for readers and for recovery after a crash. */
export interface UnfinishedAnswer {
  started_at: string;
  message: string;
  text: string;
  /** `result` is absent while the call runs. */
  tool_calls: (AgentToolCall & { call_id: string; success: boolean | null })[];
  subagents: AgentMessageProgress['subagents'];
}

/** Leases of conversations, by the database's clock. */
export type ConversationLeaseRepository = ReturnType<typeof createConversationLeaseRepository>;

export function conversationLeases(connection: Connection): Leases<AgentConversationRecord> {
  return createLeases(agentConversationModel(connection).collection, {
    token: 'lock.token',
    until: 'lock.until',
    holder: 'lock.holder',
  });
}

export function createConversationLeaseRepository(connection: Connection) {
  const conversations = agentConversationModel(connection);
  const leases = conversationLeases(connection);
  const one = (id: string) => ({ _id: new mongoose.Types.ObjectId(id) });
  // A literal: a text that starts with a dollar sign would be read as a field path.
  const stored = (answer: UnfinishedAnswer) => ({ $literal: JSON.stringify(answer) });

  return {
    /**
     * Claims the conversation; undefined while another holder has it. A lease that is not renewed expires after
     * `milliseconds`, and at once if its process is known to have died. `orphaned` is the unfinished answer of a process
     * that died.
     */
    async claim(
      id: string,
      milliseconds: number,
      answer?: UnfinishedAnswer,
    ): Promise<{ lease: ConversationLease; orphaned: UnfinishedAnswer | undefined } | undefined> {
      const set = { 'lock.answer': answer === undefined ? null : stored(answer), 'lock.stop_wanted': false };
      const claim = await leases.claim(one(id), { milliseconds, set, before: true });
      return claim && { lease: { id, token: claim.token }, orphaned: answerOf(claim.record.lock) };
    },
    /** Also stores the unfinished answer, if given, and reports whether a stop was requested. */
    async renew(
      { id, token }: ConversationLease,
      milliseconds: number,
      answer?: UnfinishedAnswer,
    ): Promise<{ isHeld: boolean; isStopRequested: boolean }> {
      const record = await leases.renew(one(id), token, milliseconds, answer && { 'lock.answer': stored(answer) });
      return { isHeld: record !== undefined, isStopRequested: record?.lock?.stop_wanted === true };
    },
    async release({ id, token }: ConversationLease): Promise<void> {
      await leases.write(one(id), token, { $set: { lock: null } });
    },
    /** Requests a stop of the answer in progress. */
    async requestStop(id: string): Promise<void> {
      await conversations.updateOne(
        { _id: new mongoose.Types.ObjectId(id), 'lock.answer': { $type: 'string' } },
        { $set: { 'lock.stop_wanted': true } },
      );
    },
  };
}

export function answerOf(lock: ConversationLock | null): UnfinishedAnswer | undefined {
  return typeof lock?.answer === 'string' ? (JSON.parse(lock.answer) as UnfinishedAnswer) : undefined;
}
