import { DomainError, type User } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../../../platform/database/connection.ts';
import { userModel, type UserRecord } from './user-model.ts';

export interface Account extends User {
  /** null for the unclaimed owner of the first organization. */
  passwordHash: string | null;
}
export type UserRepository = ReturnType<typeof createUserRepository>;

export function createUserRepository(connection: Connection) {
  const users = userModel(connection);
  return {
    async create(user: { email: string; name: string; passwordHash: string | null }): Promise<Account> {
      const { passwordHash, ...rest } = user;
      return await withUniqueEmail(async () => {
        const record = await users.create({ ...rest, password_hash: passwordHash, created_at: new Date() });
        return toAccount(record);
      });
    },

    /** For a new account without a membership. */
    async remove(userId: string): Promise<void> {
      await users.deleteOne({ _id: userId });
    },

    async findById(userId: string): Promise<Account | undefined> {
      const record = await users.findById(userId).lean();
      return record === null ? undefined : toAccount(record);
    },

    async findByEmail(email: string): Promise<Account | undefined> {
      const record = await users.findOne({ email }).lean();
      return record === null ? undefined : toAccount(record);
    },

    async findManyById(userIds: string[]): Promise<User[]> {
      const records = await users.find({ _id: { $in: userIds } }).lean();
      return records.map(toUser);
    },

    async setPasswordHash(userId: string, passwordHash: string): Promise<void> {
      await users.updateOne({ _id: userId }, { $set: { password_hash: passwordHash } });
    },

    /** The owner of the first organization, until the first registration. */
    async findUnclaimedOwner(): Promise<Account | undefined> {
      const record = await users.findOne({ password_hash: null }).lean();
      return record === null ? undefined : toAccount(record);
    },

    /** Turns the unclaimed owner into this user; undefined if another caller was faster. */
    async claimOwner(
      ownerId: string,
      user: { email: string; name: string; passwordHash: string },
    ): Promise<Account | undefined> {
      return await withUniqueEmail(async () => {
        const record = await users
          .findOneAndUpdate(
            { _id: ownerId, password_hash: null },
            { $set: { email: user.email, name: user.name, password_hash: user.passwordHash } },
            { returnDocument: 'after' },
          )
          .lean();
        return record === null ? undefined : toAccount(record);
      });
    },
  };
}

async function withUniqueEmail<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new DomainError('conflict', 'email_taken', 'An account with this e-mail address already exists. Sign in.');
  }
}

/** The public fields of an account. */
export function userOf({ id, email, name, created_at }: Account): User {
  return { id, email, name, created_at };
}

function toUser(record: UserRecord): User {
  return {
    id: record._id.toHexString(),
    email: record.email,
    name: record.name,
    created_at: record.created_at.toISOString(),
  };
}

function toAccount(record: UserRecord): Account {
  return { ...toUser(record), passwordHash: record.password_hash ?? null };
}
