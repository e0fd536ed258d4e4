import type { Connection } from 'mongoose';
import { secondFactorModel } from './second-factor-model.ts';

/** A second factor that is on. */
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

    /** Keeps a secret that waits for its confirmation; it replaces the one that waited before. */
    async propose(userId: string, sealedSecret: string, until: Date): Promise<void> {
      const pending = { pending_secret: sealedSecret, pending_until: until };
      await factors.updateOne({ _id: userId }, { $set: pending }, { upsert: true });
    },

    async findProposed(userId: string): Promise<string | undefined> {
      const record = await factors.findOne({ _id: userId, pending_until: { $gt: new Date() } }).lean();
      return record?.pending_secret;
    },

    /** False where that secret no longer waits, or a second factor is on. */
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

    /** True for the one caller that uses the code of this time step, and for no earlier step after it. */
    async useStep(userId: string, step: number): Promise<boolean> {
      const { modifiedCount } = await factors.updateOne(
        { _id: userId, last_step: { $lt: step } },
        { $set: { last_step: step } },
      );
      return modifiedCount === 1;
    },

    /** True for the one caller that uses the code. */
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
