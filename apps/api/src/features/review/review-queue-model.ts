import { reviewReason, type ReviewReason } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/**
 * The risks of the open values of one document and prompt. A read model: it is derived from the extraction and can be
 * rebuilt at any time.
 */
export type QueueRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    prompt_id: field.text,
    prompt_revid: field.objectId,
    /** The number of changes of the extraction that this entry is derived from. */
    changes: field.number,
    is_open: field.flag,
    /** Four bytes for each open value, riskiest first: its risk in 1/10,000 with a bit if it is to check, and a bit for each reason. */
    open: field.bytes,
    /** The number of all values. */
    values: field.number,
    /** Values that a user has seen and decided about; of a verified result all that were seen. */
    decided: field.number,
    /** Values that the review policy accepts. */
    accepted: field.number,
    /** Values of a sampled document that the policy would have accepted and a user decided about. */
    sampled: field.number,
    sampled_wrong: field.number,
    /** By the database's clock; absent in old entries. */
    changed_at: field.date.optional(),
  },
  { collection: 'review_queue' },
);
schema.index({ document_id: 1, prompt_id: 1 }, { unique: true });
schema.index({ organization_id: 1, is_open: 1 });
schema.index({ organization_id: 1, prompt_id: 1, decided: 1 });
schema.index({ organization_id: 1, changed_at: 1 });

export const reviewQueueModel = modelOf('ReviewQueue', schema);

/** The number of latest removals that copies can catch up with; older copies are read anew. */
export const maxRemoved = 200;

/** A counter that each change of an organization's queue increments: processes detect outdated copies by it. */
const stampSchema = recordSchema(
  {
    stamp: field.number,
    /** The number of removals. */
    removals: field.number.optional(),
    /** The ids of removed entries, one item for each of the latest removals. */
    removed: field.text.list().list().optional(),
  },
  { collection: 'review_queue_stamps' },
);

export const queueStampModel = modelOf('ReviewQueueStamp', stampSchema);

interface OpenValue {
  /** 0 to 1. */
  risk: number;
  reasons: readonly ReviewReason[];
  toCheck: boolean;
}

const bitOf = new Map(reviewReason.options.map((reason, index) => [reason, 1 << index]));

/** Risks have values up to 10,000: the two highest bits of their number are free, for the check and the 17th reason. */
const checkBit = 1 << 15;
const riskMask = (1 << 14) - 1;
const reasonBits = 16;

export function packOpen(values: readonly OpenValue[]): Buffer {
  const sorted = values.toSorted((a, b) => b.risk - a.risk);
  const packed = Buffer.alloc(sorted.length * 4);
  for (const [index, { risk, reasons, toCheck }] of sorted.entries()) {
    const bits = reasons.reduce((all, reason) => all | (bitOf.get(reason) ?? 0), 0);
    const beyond = (bits >> reasonBits) * (riskMask + 1);
    packed.writeUInt16LE(Math.round(risk * 10_000) | beyond | (toCheck ? checkBit : 0), index * 4);
    packed.writeUInt16LE(bits & 0xffff, index * 4 + 2);
  }
  return packed;
}

interface OpenFilter {
  reason?: ReviewReason | undefined;
  min_risk?: number | undefined;
  /** Counts open values that need no check as well. */
  all?: boolean | undefined;
}

/** The number of packed values that match, and their highest risk. */
export function countOpen(
  packed: Buffer,
  { reason, min_risk = 0, all = false }: OpenFilter,
): { count: number; topRisk: number } {
  const minRisk = Math.round(min_risk * 10_000);
  const bit = reason === undefined ? 0 : (bitOf.get(reason) ?? 0);
  let [count, top] = [0, 0];
  for (let at = 0; at < packed.length; at += 4) {
    const number = packed.readUInt16LE(at);
    const risk = number & riskMask;
    // Sorted by falling risk.
    if (risk < minRisk) break;
    if (!all && (number & checkBit) === 0) continue;
    const bits = packed.readUInt16LE(at + 2) | (((number & (riskMask + 1)) !== 0 ? 1 : 0) << reasonBits);
    if (bit !== 0 && (bits & bit) === 0) continue;
    count += 1;
    top = Math.max(top, risk);
  }
  return { count, topRisk: top / 10_000 };
}
