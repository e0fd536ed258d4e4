import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { literal } from '../../platform/database/database-clock.ts';
import { extractionModel, type ExtractionRecord } from '../extractions/index.ts';
import { rejudgementModel, type RejudgementRecord } from './release-model.ts';

/** Results of one prompt that are to be judged again. */
export interface RejudgedBatch {
  of: RejudgementRecord;
  records: ExtractionRecord[];
}

/**
 * Requests to judge all open results of a prompt again, after a change that concerns each of them. A request is one record,
 * however many results there are, and new results and decisions do not wait behind it.
 */
export interface Rejudgements {
  request(organizationId: string, promptId: string): Promise<void>;
  /** The next results of the oldest request, the oldest first; undefined without a request. */
  next(limit: number): Promise<RejudgedBatch | undefined>;
  /** These results are judged. Repeats nothing of a request that was made meanwhile. */
  advance(batch: RejudgedBatch): Promise<void>;
  /** How far the request of a prompt is; undefined without one. */
  progress(organizationId: string, promptId: string): Promise<{ done: number; total: number } | undefined>;
}

export function createRejudgements(connection: Connection): Rejudgements {
  const model = rejudgementModel(connection);
  const extractions = extractionModel(connection);
  const open = ({ organization_id, prompt_id }: Pick<RejudgementRecord, 'organization_id' | 'prompt_id'>) => {
    const filter: QueryFilter<ExtractionRecord> = {
      organization_id,
      prompt_id,
      'release.state': { $in: ['open' as const, 'withdrawn' as const] },
    };
    return filter;
  };
  const one = ({ organization_id, prompt_id, token }: RejudgementRecord) => ({ organization_id, prompt_id, token });

  return {
    async request(organizationId, promptId) {
      const key = { organization_id: new mongoose.Types.ObjectId(organizationId), prompt_id: promptId };
      const fresh = { token: randomUUID(), done: 0, requested_at: new Date(), is_second_part: false };
      await model.collection.updateOne(
        key,
        // The total stays: many results are not counted again with each audit.
        [{ $set: { ...literal(fresh), from: '$after', after: '$after' } }],
        { upsert: true },
      );
    },
    async next(limit) {
      const of = await model.findOne().sort({ requested_at: 1 }).lean();
      if (of === null) return undefined;
      if (of.total === undefined) {
        of.total = await extractions.countDocuments(open(of));
        await model.updateOne(one(of), { $set: { total: of.total } });
      }
      const { after, from, is_second_part } = of;
      const range = { ...(after && { $gt: after }), ...(is_second_part && from && { $lte: from }) };
      const records = await extractions
        .find({ ...open(of), ...(Object.keys(range).length > 0 && { _id: range }) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return { of, records };
    },
    async advance({ of, records }) {
      const after = records.at(-1)?._id;
      const judged = { $inc: { done: records.length } };
      if (after !== undefined) await model.updateOne(one(of), { $set: { after }, ...judged });
      else if (of.from && !of.is_second_part)
        await model.updateOne(one(of), { $set: { after: null, is_second_part: true } });
      else await model.deleteOne(one(of));
    },
    async progress(organizationId, promptId) {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const found = await model.findOne({ organization_id, prompt_id: promptId }).lean();
      return found === null ? undefined : { done: found.done, total: Math.max(found.total ?? 0, found.done) };
    },
  };
}
