import type { TurnAnswer } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import { callGroup } from './call-group.ts';
import { waitingCallModel } from './waiting-call-model.ts';

/** The list of calls that wait, kept beside their turns: small records, so that thousands are counted quickly. */
export interface WaitingCallWriter {
  /** Before the turn says that it waits. */
  put(
    owner: ThreadOwner,
    answer: TurnAnswer,
    wait: { until: Date; isUnattended: boolean; runId?: string },
  ): Promise<void>;
  /** After the turn waits no longer. */
  remove(turnId: string): Promise<void>;
}

export function createWaitingCallWriter(connection: Connection): WaitingCallWriter {
  const model = waitingCallModel(connection);
  return {
    async put({ organizationId, documentId, userId }, { turn_id, thread_id, tool_calls }, wait) {
      const calls = tool_calls.filter(({ needs_approval }) => needs_approval);
      if (calls.length === 0) return;
      const place = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
        user_id: new mongoose.Types.ObjectId(userId),
        turn_id: new mongoose.Types.ObjectId(turn_id),
        thread_id: new mongoose.Types.ObjectId(thread_id),
        is_unattended: wait.isUnattended,
        ...(wait.runId !== undefined && { run_id: wait.runId }),
        expires_at: wait.until,
      };
      await model.bulkWrite(
        calls.map(({ id, name, arguments: args }) => ({
          updateOne: {
            filter: { call_id: id },
            update: {
              $set: { ...place, tool: name, ...callGroup(name, args, documentId) },
              $setOnInsert: { waiting_since: new Date(), decision: null },
            },
            upsert: true,
          },
        })),
      );
    },
    async remove(turnId) {
      await model.deleteMany({ turn_id: new mongoose.Types.ObjectId(turnId) });
    },
  };
}
