import { type Connection } from 'mongoose';
import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';
import { retryOnDuplicateKey } from '../../../platform/database/connection.ts';

const attemptSchema = recordSchema(
  {
    /** A keyed hash of the counted key, and its time window. */
    _id: field.text,
    count: field.number,
    expires_at: field.date,
  },
  { collection: 'sign_in_attempts' },
);
attemptSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const attemptModel = modelOf('SignInAttempt', attemptSchema);

export type SignInAttemptRepository = ReturnType<typeof createSignInAttemptRepository>;

/** Counts attempts over all processes; addresses and accounts are stored only as keyed hashes. */
export function createSignInAttemptRepository(connection: Connection, hash: (text: string) => string) {
  const attempts = attemptModel(connection);
  const keyOf = (what: string, windowMs: number) => `${hash(what)}/${windowMs}/${Math.floor(Date.now() / windowMs)}`;
  return {
    /** Counts an attempt; returns the number in the current window. */
    async count(what: string, windowMs: number): Promise<number> {
      const add = async () =>
        attempts
          .findOneAndUpdate(
            { _id: keyOf(what, windowMs) },
            { $inc: { count: 1 }, $setOnInsert: { expires_at: new Date(Date.now() + 2 * windowMs) } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
      return (await retryOnDuplicateKey(add)).count;
    },

    /** Removes a successful attempt from the count. */
    async uncount(what: string, windowMs: number): Promise<void> {
      await attempts.updateOne({ _id: keyOf(what, windowMs), count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
  };
}
