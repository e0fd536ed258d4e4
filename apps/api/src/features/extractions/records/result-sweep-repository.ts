import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type Model, type QueryFilter } from 'mongoose';
import { field, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
import { literal } from '../../../platform/database/database-clock.ts';
import { organizationsWith } from '../../../platform/leases/organizations-with.ts';
import { extractionModel, type ExtractionRecord } from './extraction-model.ts';

/** The results of a prompt are processed again, the oldest first: one record for each prompt, until all are. */
type SweepRecord = StoredRecord<ReturnType<typeof sweepSchema>>;

/** Results of one prompt that are to be processed again. */
interface SweptBatch {
  of: SweepRecord;
  records: ExtractionRecord[];
}

/**
 * Requests to process many results of a prompt again, after a change that concerns each of them. A request is one record,
 * however many results there are: it takes no longer than a write, and new results and decisions do not wait behind it.
 */
export type ResultSweeps = ReturnType<typeof createResultSweeps>;

function sweepSchema(collection: string) {
  const schema = recordSchema(
    {
      organization_id: field.objectId,
      prompt_id: field.text,
      /** Of this request. */
      token: field.text,
      /** The last result that was processed. */
      after: field.objectId.orNull(),
      /** A request that comes while results are processed goes on where these are, then from the first one up to here. */
      from: field.objectId.orNull(),
      is_second_part: field.flag,
      done: field.number,
      total: field.number.optional(),
      requested_at: field.date,
    },
    { collection },
  );
  schema.index({ organization_id: 1, prompt_id: 1 }, { unique: true });
  schema.index({ requested_at: 1 });
  return schema;
}

const sweepModel = (connection: Connection, collection: string): Model<SweepRecord> => {
  const name = `ResultSweep ${collection}`;
  return connection.models[name] ?? connection.model<SweepRecord>(name, sweepSchema(collection));
};

/**
 * @param collection the collection of the requests
 * @param which the results that a request concerns
 */
export function createResultSweeps(connection: Connection, collection: string, which: QueryFilter<ExtractionRecord>) {
  const model = sweepModel(connection, collection);
  const extractions = extractionModel(connection);
  const swept = ({ organization_id, prompt_id }: SweepRecord): QueryFilter<ExtractionRecord> => ({
    organization_id,
    prompt_id,
    ...which,
  });
  const one = ({ organization_id, prompt_id, token }: SweepRecord) => ({ organization_id, prompt_id, token });
  let turns = organizationsWith(model.collection, {});

  /** The oldest request of the organization whose turn is next. */
  async function requestInTurn(): Promise<SweepRecord | undefined> {
    let turn = await turns.next();
    if (turn.done) {
      turns = organizationsWith(model.collection, {});
      turn = await turns.next();
    }
    if (turn.value === undefined) return undefined;
    const own = { organization_id: turn.value };
    const of = await model.findOne(own).sort({ requested_at: 1 }).lean();
    if (of === null) return await requestInTurn();
    if (isSound(of)) return of;
    // Nothing can be processed by it, and it would be the oldest for ever.
    await model.collection.deleteOne({ _id: of._id });
    return await requestInTurn();
  }

  return {
    async request(organizationId: string, promptId: string): Promise<void> {
      const key = { organization_id: new mongoose.Types.ObjectId(organizationId), prompt_id: promptId.toLowerCase() };
      const fresh = { token: randomUUID(), done: 0, requested_at: new Date(), is_second_part: false };
      await model.collection.updateOne(
        key,
        // The total stays: many results are not counted again with each request.
        [{ $set: { ...literal(fresh), from: '$after', after: '$after' } }],
        { upsert: true },
      );
    },
    /**
     * The next results of a request, the oldest first; undefined without a request. Organizations take turns, each with its
     * oldest request.
     */
    async next(limit: number): Promise<SweptBatch | undefined> {
      const of = await requestInTurn();
      if (of === undefined) return undefined;
      if (of.total === undefined) {
        of.total = await extractions.countDocuments(swept(of));
        await model.updateOne(one(of), { $set: { total: of.total } });
      }
      const { after, from, is_second_part } = of;
      const range = { ...(after && { $gt: after }), ...(is_second_part && from && { $lte: from }) };
      const records = await extractions
        .find({ ...swept(of), ...(Object.keys(range).length > 0 && { _id: range }) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return { of, records };
    },
    /** These results are processed. Repeats nothing of a request that was made meanwhile. */
    async advance({ of, records }: SweptBatch): Promise<void> {
      const after = records.at(-1)?._id;
      const processed = { $inc: { done: records.length } };
      if (after !== undefined) await model.updateOne(one(of), { $set: { after }, ...processed });
      else if (of.from && !of.is_second_part)
        await model.updateOne(one(of), { $set: { after: null, is_second_part: true } });
      else await model.deleteOne(one(of));
    },
    /** How far the request of a prompt is; undefined without one. */
    async progress(organizationId: string, promptId: string): Promise<{ done: number; total: number } | undefined> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const found = await model.findOne({ organization_id, prompt_id: promptId }).lean();
      return found === null ? undefined : { done: found.done, total: Math.max(found.total ?? 0, found.done) };
    },
  };
}

function isSound({ prompt_id, token, after, from, done, total, is_second_part }: SweepRecord): boolean {
  const isPlace = (id: unknown) => id === null || id === undefined || id instanceof mongoose.Types.ObjectId;
  const isCount = (count: unknown) => typeof count === 'number' && !Number.isNaN(count);
  const isNamed = typeof prompt_id === 'string' && typeof token === 'string';
  const isCounted = isCount(done) && (total === undefined || isCount(total));
  return isNamed && isCounted && isPlace(after) && isPlace(from) && typeof is_second_part === 'boolean';
}
