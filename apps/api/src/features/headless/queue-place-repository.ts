import mongoose, { type Model } from 'mongoose';
import type { DocumentRunRecord } from './document-run-model.ts';
import type { HeadlessInput } from './headless-queue.ts';

/** So many queued runs of one user are claimed before others: asked for one by one, or the first ones of a run. */
const [maxFew, maxFewOfRun] = [20, 5];

type Place = Pick<DocumentRunRecord, 'rank' | 'lane'>;

/** The place of a new run in the queue: its lane, and its rank there. */
export function createQueuePlaces(model: Model<DocumentRunRecord>): (input: HeadlessInput) => Promise<Place> {
  /** Single requests of a user are few, and so are the first documents of a run, which can be all of them. */
  async function laneOf({ organizationId, requestedBy, runId }: HeadlessInput): Promise<{ lane?: 'few' }> {
    const queued = {
      lane: 'few' as const,
      state: 'queued' as const,
      organization_id: new mongoose.Types.ObjectId(organizationId),
      requested_by: requestedBy,
    };
    // Documents that arrive are requested by the organization.
    const isOneByOne = runId === undefined && requestedBy !== organizationId;
    const max = isOneByOne ? maxFew : maxFewOfRun;
    return (await model.countDocuments(queued).limit(max)) < max ? { lane: 'few' } : {};
  }

  /**
   * Fair queueing in a lane: one after the organization's last run, but not before the runs in progress. Large batches do
   * not starve other organizations, and idle organizations earn no credit.
   */
  async function nextRank(
    organization_id: mongoose.Types.ObjectId,
    { lane }: { lane?: 'few' | undefined },
  ): Promise<number> {
    const rankOf = { rank: 1 } as const;
    const inLane = lane === undefined ? {} : { lane };
    const [own, first, last] = await Promise.all([
      model
        .findOne({ organization_id, ...inLane }, rankOf)
        .sort({ rank: -1 })
        .lean(),
      model
        .findOne({ state: 'queued', ...inLane }, rankOf)
        .sort({ rank: 1 })
        .lean(),
      model
        .findOne({ state: 'running', ...inLane }, rankOf)
        .sort({ rank: -1 })
        .lean(),
    ]);
    return Math.max((own?.rank ?? 0) + 1, first?.rank ?? last?.rank ?? 0);
  }

  return async (input) => {
    const lane = await laneOf(input);
    return { rank: await nextRank(new mongoose.Types.ObjectId(input.organizationId), lane), ...lane };
  };
}
