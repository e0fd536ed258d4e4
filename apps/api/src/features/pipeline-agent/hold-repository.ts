import { randomUUID } from 'node:crypto';
import type { AgentMessageProgress, AgentToolCall } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { isOver, untilIn } from '../../platform/database/database-clock.ts';
import { thisProcess, isKnownDead } from '../../platform/leases/process-identity.ts';
import { agentConversationModel, type ConversationLock } from './conversation-model.ts';

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
  const held = ({ id, token }: ConversationHold) => ({ _id: new mongoose.Types.ObjectId(id), 'lock.token': token });
  // A text that begins with a dollar sign would be read as the path of a field.
  const kept = (answer: AnswerUnderWay) => ({ $literal: JSON.stringify(answer) });

  return {
    async take(id, milliseconds, answer) {
      const _id = new mongoose.Types.ObjectId(id);
      const token = randomUUID();
      const lock = {
        token,
        until: untilIn(milliseconds),
        holder: { $literal: thisProcess },
        answer: answer === undefined ? null : kept(answer),
        stop_wanted: false,
      };
      const take = async (whoseLock: object) =>
        await conversations
          .findOneAndUpdate({ _id, ...whoseLock }, [{ $set: { lock } }], {
            updatePipeline: true,
            returnDocument: 'before',
            projection: { lock: 1 },
          })
          .lean();
      const free = { $expr: { $or: [{ $eq: ['$lock', null] }, isOver('lock.until')] } };
      const before = (await take(free)) ?? (await takeFromDead(_id, take));
      if (before === null) return undefined;
      return { hold: { id, token }, left: answerOf(before.lock) };
    },
    async renew(hold, milliseconds, answer) {
      const set = { 'lock.until': untilIn(milliseconds), ...(answer && { 'lock.answer': kept(answer) }) };
      const found = await conversations
        .findOneAndUpdate(held(hold), [{ $set: set }], {
          updatePipeline: true,
          projection: { lock: 1 },
        })
        .lean();
      return { isHeld: found !== null, isStopWanted: found?.lock?.stop_wanted === true };
    },
    async release(hold) {
      await conversations.updateOne(held(hold), { $set: { lock: null } });
    },
    async askToStop(id) {
      await conversations.updateOne(
        { _id: new mongoose.Types.ObjectId(id), 'lock.answer': { $type: 'string' } },
        { $set: { 'lock.stop_wanted': true } },
      );
    },
  };

  async function takeFromDead<Taken>(
    _id: mongoose.Types.ObjectId,
    take: (whoseLock: object) => Promise<Taken | null>,
  ): Promise<Taken | null> {
    const found = await conversations.findOne({ _id }, { lock: 1 }).lean();
    const lock = found?.lock;
    return lock && isKnownDead(lock.holder) ? await take({ 'lock.token': lock.token }) : null;
  }
}

export function answerOf(lock: ConversationLock | null): AnswerUnderWay | undefined {
  return typeof lock?.answer === 'string' ? (JSON.parse(lock.answer) as AnswerUnderWay) : undefined;
}
