import type { Connection } from 'mongoose';
import { readPage, type PageSelection } from '../../../platform/database/page.ts';
import { createGroupedReads } from '../../../platform/database/grouped-reads.ts';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { sessionModel } from './session-model.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';

/** The user agent and address of a sign-in. */
export interface Device {
  userAgent: string;
  address: string;
}
export type SessionRepository = ReturnType<typeof createSessionRepository>;

export function createSessionRepository(connection: Connection) {
  const sessions = sessionModel(connection);
  const read = createGroupedReads(async (ids) => {
    const open = () => ({ _id: { $in: objectIdsOf(ids()) }, expires_at: { $gt: new Date() } });
    const records = await readTogether(sessions, open, { projection: { user_id: 1, second_factor: 1 } });
    return new Map(
      records.map(({ _id, user_id, second_factor }) => [
        _id.toHexString(),
        { userId: user_id.toHexString(), secondFactor: second_factor === true },
      ]),
    );
  });
  return {
    async create(userId: string, expiresAt: Date, device: Device, secondFactor: boolean): Promise<string> {
      const record = await sessions.create({
        user_id: userId,
        expires_at: expiresAt,
        user_agent: device.userAgent.slice(0, 300),
        address: device.address,
        ...(secondFactor && { second_factor: true }),
      });
      return record._id.toHexString();
    },
    async isOpen(sessionId: string, userId: string): Promise<boolean> {
      return (await read(sessionId))?.userId === userId;
    },
    /** Undefined if the user has no such session. */
    async find(sessionId: string, userId: string): Promise<{ secondFactor: boolean } | undefined> {
      const session = await read(sessionId);
      return session?.userId === userId ? session : undefined;
    },
    /** Updates all sessions of a user. */
    async setSecondFactor(userId: string, secondFactor: boolean): Promise<void> {
      await sessions.updateMany({ user_id: userId }, { $set: { second_factor: secondFactor } });
    },
    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
    },
    /** False if the user has no such session. */
    async endOne(userId: string, sessionId: string): Promise<boolean> {
      return (await sessions.deleteOne({ _id: sessionId, user_id: userId })).deletedCount === 1;
    },
    async endAllOf(userId: string, exceptId?: string): Promise<void> {
      await sessions.deleteMany({ user_id: userId, ...(exceptId === undefined ? {} : { _id: { $ne: exceptId } }) });
    },
    /** Newest first. */
    async list(userId: string, page: PageSelection) {
      const open = { user_id: userId, expires_at: { $gt: new Date() } };
      const { records, end } = await readPage(sessions, open, { ...page, sort: { _id: -1 } });
      const found = presentEach(records, ({ _id, expires_at, user_agent = '', address = '' }) => ({
        id: _id.toHexString(),
        created_at: _id.getTimestamp().toISOString(),
        expires_at: expires_at.toISOString(),
        user_agent,
        address,
      }));
      return { sessions: found, ...end };
    },
  };
}
