import type { Connection } from 'mongoose';
import { createGroupedReads } from '../../../platform/database/grouped-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { sessionModel } from './session-model.ts';

export type SessionRepository = ReturnType<typeof createSessionRepository>;

export function createSessionRepository(connection: Connection) {
  const sessions = sessionModel(connection);
  const read = createGroupedReads(async (ids) => {
    const open = { _id: { $in: objectIdsOf(ids) }, expires_at: { $gt: new Date() } };
    const records = await sessions.find(open, { user_id: 1 }).lean();
    return new Map(records.map(({ _id, user_id }) => [_id.toHexString(), user_id.toHexString()]));
  });
  return {
    async create(userId: string, expiresAt: Date): Promise<string> {
      const record = await sessions.create({ user_id: userId, expires_at: expiresAt });
      return record._id.toHexString();
    },
    async isOpen(sessionId: string, userId: string): Promise<boolean> {
      return (await read(sessionId)) === userId;
    },
    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
    },
    async endAllOf(userId: string): Promise<void> {
      await sessions.deleteMany({ user_id: userId });
    },
  };
}
