import { reviewReason, riskToCheck, type ReviewReason } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/**
 * What the queue knows of one document and prompt: the risks of its open values. A read model: everything in it comes
 * from the extraction, so that it can be made again at any time.
 */
export interface QueueRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_id: string;
  prompt_revid: Types.ObjectId;
  /** The extraction's count of changes that this was made of. */
  changes: number;
  is_open: boolean;
  /** Four bytes for each open value, the riskiest first: its risk in 1/10,000, and a bit for each reason. */
  open: Buffer;
  /** All values, and below those that the policy accepts, and those of a sample that it would have accepted and a user decided. */
  values: number;
  /** Values that a user decided about; of a verified result all. */
  decided: number;
  accepted: number;
  sampled: number;
  sampled_wrong: number;
  /** By the database's clock; entries of before do not have it. */
  changed_at?: Date;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const count = { type: Number, required: true } as const;

const schema = new mongoose.Schema<QueueRecord>(
  {
    organization_id: objectId,
    document_id: objectId,
    prompt_id: { type: String, required: true },
    prompt_revid: objectId,
    changes: count,
    is_open: { type: Boolean, required: true },
    open: { type: Buffer, required: true },
    values: count,
    decided: count,
    accepted: count,
    sampled: count,
    sampled_wrong: count,
    changed_at: { type: Date },
  },
  { collection: 'review_queue', versionKey: false, autoIndex: false },
);
schema.index({ document_id: 1, prompt_id: 1 }, { unique: true });
schema.index({ organization_id: 1, is_open: 1 });
schema.index({ organization_id: 1, prompt_id: 1, decided: 1 });
schema.index({ organization_id: 1, changed_at: 1 });

export function reviewQueueModel(connection: Connection): Model<QueueRecord> {
  return connection.models['ReviewQueue'] ?? connection.model<QueueRecord>('ReviewQueue', schema);
}

/** The counter that every change of an organization's queue raises, so that each process knows whether its copy is old. */
interface QueueStampRecord {
  _id: Types.ObjectId;
  stamp: number;
  /** How often something was taken out. */
  removals?: number;
  /** Ids of the entries that were taken out, an item each time; the latest times alone. */
  removed?: string[][];
}

/** Times of taking out that copies follow one by one. */
export const maxRemoved = 200;

const stampSchema = new mongoose.Schema<QueueStampRecord>(
  {
    stamp: { type: Number, required: true },
    removals: { type: Number },
    removed: { type: [[String]], default: undefined },
  },
  { collection: 'review_queue_stamps', versionKey: false, autoIndex: false },
);

export function queueStampModel(connection: Connection): Model<QueueStampRecord> {
  return connection.models['ReviewQueueStamp'] ?? connection.model<QueueStampRecord>('ReviewQueueStamp', stampSchema);
}

interface OpenValue {
  /** 0 to 1. */
  risk: number;
  reasons: readonly ReviewReason[];
}

const bitOf = new Map(reviewReason.options.map((reason, index) => [reason, 1 << index]));

export function packOpen(values: readonly OpenValue[]): Buffer {
  const sorted = values.toSorted((a, b) => b.risk - a.risk);
  const packed = Buffer.alloc(sorted.length * 4);
  for (const [index, { risk, reasons }] of sorted.entries()) {
    packed.writeUInt16LE(Math.round(risk * 10_000), index * 4);
    packed.writeUInt16LE(
      reasons.reduce((bits, reason) => bits | (bitOf.get(reason) ?? 0), 0),
      index * 4 + 2,
    );
  }
  return packed;
}

/** How many packed values match, and the highest risk among them. */
/** How many of the open values are worth a look. */
export function countToCheck(packed: Buffer): number {
  let count = 0;
  for (let at = 0; at < packed.length; at += 4) {
    if (packed.readUInt16LE(at) >= riskToCheck * 10_000 || packed.readUInt16LE(at + 2) > 0) count += 1;
  }
  return count;
}

export function countOpen(
  packed: Buffer,
  { reason, min_risk = 0 }: { reason?: ReviewReason | undefined; min_risk?: number | undefined },
): { count: number; topRisk: number } {
  const least = Math.round(min_risk * 10_000);
  const bit = reason === undefined ? 0 : (bitOf.get(reason) ?? 0);
  let [count, top] = [0, 0];
  for (let at = 0; at < packed.length; at += 4) {
    const risk = packed.readUInt16LE(at);
    // The riskiest stand first.
    if (risk < least) break;
    if (bit !== 0 && (packed.readUInt16LE(at + 2) & bit) === 0) continue;
    count += 1;
    top = Math.max(top, risk);
  }
  return { count, topRisk: top / 10_000 };
}
