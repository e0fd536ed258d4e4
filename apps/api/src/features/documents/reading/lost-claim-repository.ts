import type { Connection } from 'mongoose';
import { createStallDetector } from '../../../platform/database/stall-detector.ts';
import { documentModel } from '../document-model.ts';

/** Longer than a busy machine leaves out renewals. */
const takeAfterMs = 20_000;

/** Documents that processes hold to read them. */
export interface LostClaimRepository {
  /**
   * Gives back the documents whose claim has not been renewed for a while, as this process has seen it by its own clock, which
   * nobody sets; call it often. How many there were.
   */
  giveBack(): Promise<number>;
}

export function createLostClaimRepository(connection: Connection, afterMs = takeAfterMs): LostClaimRepository {
  const model = documentModel(connection);
  const stalledOf = createStallDetector(afterMs);

  return {
    async giveBack() {
      const held = await model
        .find({ state: 'ocr_processing', 'claim.beat': { $gte: 0 } }, { claim: 1, ocr_turn: 1 })
        .lean();
      const still = stalledOf(held.map(({ _id, claim }) => [_id.toHexString(), JSON.stringify(claim)]));
      let count = 0;
      for (const { _id, claim, ocr_turn } of held.filter((one) => still.includes(one._id.toHexString()))) {
        const { modifiedCount } = await model.updateOne(
          { _id, 'claim.token': claim?.token ?? null, 'claim.beat': claim?.beat ?? null },
          { $unset: { claim: 1 }, ...(ocr_turn ? {} : { $set: { state: 'uploaded' } }) },
        );
        count += modifiedCount;
      }
      return count;
    },
  };
}
