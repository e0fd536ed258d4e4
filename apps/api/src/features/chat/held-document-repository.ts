import mongoose, { type Connection, type Types } from 'mongoose';
import { namedOrUnnamed } from '../../platform/database/unnamed-organization.ts';
import { recordBytes, storedBytesOf, threadOwner } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { threadMessageModel, threadModel, type StoredCall, type ThreadMessageRecord } from '../threads/index.ts';

/** What stands in place of an answer and of a result of a tool. */
export const withdrawnText = 'This was removed: it could hold values of a document that was removed for good.';
const withdrawnResult = JSON.stringify({ error: `${withdrawnText} Call the tool again.` });

/** Without damaged ones. */
const callsOf = (stored: unknown): StoredCall[] =>
  Array.isArray(stored) ? stored.filter((call) => call instanceof Object) : [];

/**
 * Withdraws what conversations that belong to no document, or to another one, hold of a purged document: in each, all answers and
 * results of tools since the question that read the document, as any later one can repeat it. Questions stay.
 */
export function createHeldDocuments(
  connection: Connection,
  removeTurns: (filter: { organization_id: Types.ObjectId; thread_id: Types.ObjectId }) => Promise<void>,
): (organizationId: string, documentId: string) => Promise<void> {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  const storedBytes = storedBytesOf(connection);

  function withdrawn({ role, tool_calls }: ThreadMessageRecord) {
    return {
      $set: {
        content: role === 'tool' ? withdrawnResult : withdrawnText,
        ...(role === 'tool' && { success: false }),
        ...(tool_calls && { tool_calls: callsOf(tool_calls).map(({ id, name }) => ({ id, name, arguments: '{}' })) }),
      },
      $unset: { checked: 1, thinking: 1, sent: 1 } as const,
    };
  }

  return async (organizationId, documentId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const holding = { organization_id, document_ids: documentId.toLowerCase() };
    const found = await messages.find(holding, { thread_id: 1, number: 1 }).sort({ number: 1 }).lean();
    const firsts = new Map<string, Pick<ThreadMessageRecord, '_id' | 'thread_id' | 'number'>>();
    for (const each of found) {
      const key = each.thread_id.toHexString();
      if (!firsts.has(key)) firsts.set(key, each);
    }
    for (const { thread_id, number } of firsts.values()) {
      // Before the messages: a turn that still runs would store what it has read.
      await removeTurns({ organization_id, thread_id });
      const ofThread = { organization_id: namedOrUnnamed(organization_id), thread_id };
      const before = { ...ofThread, role: 'user' as const, number: { $lt: number } };
      const question = await messages.findOne(before, { number: 1 }).sort({ number: -1 }).lean();
      const rest = await messages.find({ ...ofThread, number: { $gte: question?.number ?? number } }).lean();
      let bytes = 0;
      for (const record of rest) {
        if (record.role === 'user') continue;
        const which = { ...ofThread, _id: record._id };
        const now = await messages.findOneAndUpdate(which, withdrawn(record), { returnDocument: 'after' }).lean();
        if (now !== null) bytes += recordBytes(now) - recordBytes(record);
      }
      // Last: an interrupted withdrawal is found by them again.
      const _id = { $in: rest.map((record) => record._id) };
      await messages.updateMany({ ...ofThread, _id }, { $set: { document_ids: [] } });
      const thread = await threads.findOne({ _id: thread_id, organization_id }, { document_id: 1 }).lean();
      const owner = thread && threadOwner(thread.document_id.toHexString(), thread_id.toHexString());
      if (owner) storedBytes.add(organizationId, owner, bytes);
    }
  };
}
