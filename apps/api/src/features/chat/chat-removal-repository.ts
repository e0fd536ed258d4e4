import mongoose, { type Connection } from 'mongoose';
import { threadMessageModel, threadModel } from '../threads/index.ts';
import { turnEventsModel, turnModel } from '../turns/index.ts';

/** Removes all threads and turns of a purged document. A turn that still runs leaves no record. */
export function createChatRemoval(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const threads = threadModel(connection);
  const messages = threadMessageModel(connection);
  const turns = turnModel(connection);
  const events = turnEventsModel(connection);
  return async (organizationId, documentId) => {
    const filter = {
      organization_id: new mongoose.Types.ObjectId(organizationId),
      document_id: new mongoose.Types.ObjectId(documentId),
    };
    const threadIds = (await threads.find(filter, { _id: 1 }).lean()).map((thread) => thread._id);
    await messages.deleteMany({ thread_id: { $in: threadIds } });
    await threads.deleteMany(filter);
    const turnIds = (await turns.find(filter, { _id: 1 }).lean()).map((turn) => turn._id);
    await events.deleteMany({ turn_id: { $in: turnIds } });
    await turns.deleteMany(filter);
  };
}
