import type { Connection } from 'mongoose';
import { sessionModel } from './session-model.ts';

export type SessionRepository = ReturnType<typeof createSessionRepository>;

export function createSessionRepository(connection: Connection) {
  const sessions = sessionModel(connection);
  return {
    async create(userId: string, expiresAt: Date): Promise<string> {
      const record = await sessions.create({ user_id: userId, expires_at: expiresAt });
      return record._id.toHexString();
    },
    async isOpen(sessionId: string, userId: string): Promise<boolean> {
      const found = await sessions.exists({ _id: sessionId, user_id: userId, expires_at: { $gt: new Date() } });
      return found !== null;
    },
    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
    },
    async endAllOf(userId: string): Promise<void> {
      await sessions.deleteMany({ user_id: userId });
    },
  };
}
