import type { Connection } from 'mongoose';
import { documentModel } from './document-model.ts';

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
  /** Claims as they were seen first, and since when they have not moved. */
  const seen = new Map<string, { claim: string; since: number }>();

  return {
    async giveBack() {
      const now = performance.now();
      const held = await model
        .find({ state: 'ocr_processing', claim: { $ne: null } }, { claim: 1, ocr_turn: 1 })
        .lean();
      const current = new Set(held.map(({ _id }) => _id.toHexString()));
      for (const id of seen.keys()) if (!current.has(id)) seen.delete(id);
      let count = 0;
      for (const { _id, claim, ocr_turn } of held) {
        const id = _id.toHexString();
        const spelled = JSON.stringify(claim);
        const known = seen.get(id);
        if (known?.claim !== spelled) {
          seen.set(id, { claim: spelled, since: now });
        } else if (now - known.since > afterMs) {
          const { modifiedCount } = await model.updateOne(
            { _id, 'claim.token': claim?.token ?? null, 'claim.beat': claim?.beat ?? null },
            { $unset: { claim: 1 }, ...(ocr_turn ? {} : { $set: { state: 'uploaded' } }) },
          );
          count += modifiedCount;
        }
      }
      return count;
    },
  };
}
