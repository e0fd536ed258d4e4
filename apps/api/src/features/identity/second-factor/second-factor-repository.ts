import type { Connection } from 'mongoose';
import { secondFactorModel } from './second-factor-model.ts';

/** An enabled second factor. */
export interface SecondFactor {
  sealedSecret: string;
  enabledAt: Date;
  recoveryCodesLeft: number;
}
export type SecondFactorRepository = ReturnType<typeof createSecondFactorRepository>;

export function createSecondFactorRepository(connection: Connection) {
  const factors = secondFactorModel(connection);
  return {
    async find(userId: string): Promise<SecondFactor | undefined> {
      const record = await factors.findById(userId).lean();
      if (record?.secret === undefined || record.enabled_at === undefined) return undefined;
      return {
        sealedSecret: record.secret,
        enabledAt: record.enabled_at,
        recoveryCodesLeft: record.recovery_hashes.length,
      };
    },

    /** Stores an unconfirmed secret, replacing the previous one. */
    async propose(userId: string, sealedSecret: string, until: Date): Promise<void> {
      const pending = { pending_secret: sealedSecret, pending_until: until };
      await factors.updateOne({ _id: userId }, { $set: pending }, { upsert: true });
    },

    async findProposed(userId: string): Promise<string | undefined> {
      const record = await factors.findOne({ _id: userId, pending_until: { $gt: new Date() } }).lean();
      return record?.pending_secret;
    },

    /** False if the secret is no longer pending, or a second factor is already enabled. */
    async enable(userId: string, sealedSecret: string, step: number, recoveryHashes: string[]): Promise<boolean> {
      const { modifiedCount } = await factors.updateOne(
        { _id: userId, pending_secret: sealedSecret, secret: { $exists: false } },
        {
          $set: { secret: sealedSecret, enabled_at: new Date(), last_step: step, recovery_hashes: recoveryHashes },
          $unset: { pending_secret: '', pending_until: '' },
        },
      );
      return modifiedCount === 1;
    },

    /** True for exactly one caller; afterwards, codes of this and earlier time steps fail. */
    async useStep(userId: string, step: number): Promise<boolean> {
      const { modifiedCount } = await factors.updateOne(
        { _id: userId, last_step: { $lt: step } },
        { $set: { last_step: step } },
      );
      return modifiedCount === 1;
    },

    /** True for exactly one caller. */
    async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
      const { modifiedCount } = await factors.updateOne(
        { _id: userId, recovery_hashes: hash },
        { $pull: { recovery_hashes: hash } },
      );
      return modifiedCount === 1;
    },

    async replaceRecoveryCodes(userId: string, hashes: string[]): Promise<void> {
      await factors.updateOne({ _id: userId, secret: { $exists: true } }, { $set: { recovery_hashes: hashes } });
    },

    async remove(userId: string): Promise<void> {
      await factors.deleteOne({ _id: userId });
    },
  };
}
