import type { ProposedCall, TurnAnswer } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import type { ThreadOwner } from '../threads/index.ts';
import { pendingCallModel } from './pending-call-model.ts';
import { createHash } from 'node:crypto';
import { ofTurn, type TurnKey } from './turn-model.ts';

/** Stores pending calls beside their turns, in small records, so that thousands are counted quickly. */
export type PendingCallWriter = ReturnType<typeof createPendingCallWriter>;

/** How many cards of one call are looked at: several programs can have one each. */
const maxSame = 20;

export function createPendingCallWriter(connection: Connection) {
  const model = pendingCallModel(connection);
  return {
    /** Called before the turn emits that it is pending. */
    async put(
      { organizationId, documentId, userId }: ThreadOwner,
      { turn_id, thread_id, tool_calls }: TurnAnswer,
      wait: { until: Date; isUnattended: boolean; runId?: string },
    ): Promise<void> {
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
            filter: { organization_id: place.organization_id, call_id: id },
            update: {
              $set: { ...place, tool: name, ...callGroup(name, args, documentId) },
              $setOnInsert: { waiting_since: new Date(), decision: null },
            },
            upsert: true,
          },
        })),
      );
    },
    /** Since when the turn waits for a person. */
    async waitingSince(turn: TurnKey): Promise<Date | undefined> {
      return (await model.findOne(ofTurn(turn), { waiting_since: 1 }).sort({ waiting_since: 1 }).lean())?.waiting_since;
    },
    /** The threads of the user on the document in which the same call waits for a decision, the newest first. */
    async threadsAwaiting(
      { organizationId, documentId, userId }: ThreadOwner,
      { name, arguments: args }: Pick<ProposedCall, 'name' | 'arguments'>,
    ): Promise<string[]> {
      const same = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: new mongoose.Types.ObjectId(documentId),
        user_id: new mongoose.Types.ObjectId(userId),
        is_unattended: false,
        tool: name,
        group: callGroup(name, args, documentId).group,
        expires_at: { $gt: new Date() },
      };
      const found = await model.find(same, { thread_id: 1 }).sort({ _id: -1 }).limit(maxSame).lean();
      return found.map(({ thread_id }) => thread_id.toHexString());
    },
    /** The turns of users, not of runs, that wait for a decision about one of these documents. */
    async turnsAbout(
      organizationId: string,
      documentIds: readonly string[],
    ): Promise<{ owner: ThreadOwner; id: string }[]> {
      const waiting = {
        organization_id: new mongoose.Types.ObjectId(organizationId),
        document_id: { $in: objectIdsOf(documentIds) },
        is_unattended: false,
      };
      const found = await model.find(waiting, { turn_id: 1, document_id: 1, user_id: 1 }).lean();
      const turns = new Map(found.map((call) => [call.turn_id.toHexString(), call]));
      return [...turns].map(([id, { document_id, user_id }]) => ({
        owner: { organizationId, documentId: document_id.toHexString(), userId: user_id.toHexString() },
        id,
      }));
    },
    /** Called when the turn is no longer pending. */
    async remove(turn: TurnKey): Promise<void> {
      await model.deleteMany(ofTurn(turn));
    },
  };
}

/** The group of a call, and those of its arguments that name the document, by path. */
interface CallGroup {
  group: string;
  names: Record<string, string>;
}

/** Calls of one tool have the same group if only the arguments that name the document differ. */
function callGroup(tool: string, argumentsText: string, documentId: string): CallGroup {
  const names: Record<string, string> = {};
  const common = withoutDocument(parsed(argumentsText), '', documentId, names);
  const group = createHash('sha256')
    .update(JSON.stringify([tool, common]))
    .digest('hex')
    .slice(0, 24);
  return { group, names };
}

function withoutDocument(value: unknown, path: string, documentId: string, names: Record<string, string>): unknown {
  if (typeof value === 'string' && (isNamePath(path) || value === documentId)) {
    names[path.replaceAll('.', '/')] = value;
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((entry, at) => withoutDocument(entry, join(path, `${at}`), documentId, names));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => [key, withoutDocument(entry, join(path, key), documentId, names)]);
}

function isNamePath(path: string): boolean {
  return /(?:^|\.)document_id(?:s\.\d+)?$/u.test(path);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
