import type { Collection, Types } from 'mongoose';
import { createStallDetector } from './stall-detector.ts';

interface Leased {
  _id: Types.ObjectId;
  lease: { owner: string; beat: number };
}

/**
 * Takes the `lease` from those of the records whose holder has not raised its beat for `afterMs`, as this process has seen it.
 * Ask it often.
 */
export function createLeaseWatch(
  collection: Collection,
  among: Record<string, string | boolean>,
  afterMs: number,
): () => Promise<void> {
  const stalledOf = createStallDetector(afterMs);
  return async () => {
    const filter = { ...among, lease: { $ne: null } };
    const leased = await collection.find<Leased>(filter, { projection: { lease: 1 } }).toArray();
    const still = new Set(stalledOf(leased.map(({ _id, lease }) => [_id.toHexString(), JSON.stringify(lease)])));
    for (const { _id, lease } of leased.filter((one) => still.has(one._id.toHexString()))) {
      const seen = { 'lease.owner': lease.owner, 'lease.beat': lease.beat };
      await collection.updateOne({ _id, ...seen }, { $unset: { lease: 1 } });
    }
  };
}
