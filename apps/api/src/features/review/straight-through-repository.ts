import mongoose, { type Connection, type Types } from 'mongoose';
import { LruMap } from 'toad-cache';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { add } from '../../platform/database/figures.ts';
import { createKeptSums } from '../../platform/database/kept-sums/kept-sums.ts';
import type { Summed } from '../../platform/database/kept-sums/summed.ts';
import { createUnlistedDocuments } from '../documents/index.ts';
import { queueStampModel, reviewQueueModel } from './review-queue-model.ts';

/** The values of all documents of a prompt. */
export interface StraightThrough {
  values: number;
  accepted: number;
  sampled: number;
  sampled_wrong: number;
}

/** What the review policy of a prompt lets through, summed over the queue. */
export type StraightThroughSums = ReturnType<typeof createStraightThroughSums>;

const prefix = 'straight through ';
/** A request measures so many entries; a job measures more, and those that it has measured count until then. */
const maxInRequest = 1_000;
const batchSize = 1_000;
/** A write can become visible this much later than its time stamp. */
const overlapMs = 10_000;
const fields = ['values', 'accepted', 'sampled', 'sampled_wrong'] as const;

/** `wake` wakes the job that calls `keepUp`. */
export function createStraightThroughSums(connection: Connection, wake: () => Promise<void>) {
  const queue = reviewQueueModel(connection);
  const stamps = queueStampModel(connection);
  const sums = createKeptSums(connection);
  const unlisted = createUnlistedDocuments(connection);
  const lastUnlisted = new LruMap<{ ids: ReadonlySet<string>; stamp: string; figures: readonly number[] }>(100);

  async function* pages(filter: object) {
    for (let after: Types.ObjectId | undefined; ;) {
      const later = after === undefined ? {} : { _id: { $gt: after } };
      const found = await queue
        .find({ ...filter, ...later }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(batchSize)
        .lean();
      if (found.length === 0) return;
      after = found.at(-1)!._id;
      yield found.map(({ _id }) => _id.toHexString());
    }
  }

  function summedOf(organizationId: string, promptId: string): Summed {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const ofPrompt = { organization_id, prompt_id: promptId };
    let removed: string[][] = [];
    let removals = 0;

    async function* changedSince(former: Date, missed: number) {
      if (missed > 0) yield removed.slice(-missed).flat();
      yield* pages({ ...ofPrompt, changed_at: { $gte: new Date(former.getTime() - overlapMs) } });
    }

    return {
      organizationId,
      name: prefix + promptId,
      async stamp() {
        // The time first: what is written meanwhile is read again.
        const [newest] = await queue
          .find({ organization_id, changed_at: { $gt: new Date(0) } }, { changed_at: 1 })
          .sort({ changed_at: -1 })
          .limit(1)
          .lean();
        const found = await stamps.findOne({ _id: organization_id }).lean();
        removals = found?.removals ?? 0;
        removed = found?.removed ?? [];
        return `${newest?.changed_at?.getTime() ?? ''} ${removals} ${found?.stamp ?? 0}`;
      },
      all: () => pages(ofPrompt),
      changed({ stamp }) {
        const [newest, formerRemovals] = stamp.split(' ').map(Number);
        const missed = removals - formerRemovals!;
        return newest === 0 || missed > removed.length ? undefined : changedSince(new Date(newest!), missed);
      },
      async measure(members) {
        const found = await queue
          .find({ _id: { $in: objectIdsOf(members) }, ...ofPrompt }, { open: 0 })
          .lean<({ _id: Types.ObjectId } & StraightThrough)[]>();
        return new Map(
          found.map((entry) => [entry._id.toHexString(), { all: fields.map((field) => entry[field]) }] as const),
        );
      },
    };
  }

  async function counted(organizationId: string, promptId: string, among: object): Promise<number[]> {
    const [found] = await queue.aggregate<StraightThrough>([
      { $match: { organization_id: new mongoose.Types.ObjectId(organizationId), prompt_id: promptId, ...among } },
      { $group: { _id: null, ...Object.fromEntries(fields.map((field) => [field, { $sum: `$${field}` }])) } },
    ]);
    return found ? fields.map((field) => found[field]) : [];
  }

  /** What documents have that no list shows, as long as neither they nor the queue change. */
  async function ofUnlisted(summed: Summed, promptId: string): Promise<readonly number[]> {
    const { organizationId, name } = summed;
    const [ids, stamp] = await Promise.all([unlisted.all(organizationId), summed.stamp()]);
    const known = lastUnlisted.get(organizationId + name);
    if (known?.ids === ids && known.stamp === stamp) return known.figures;
    const total = { all: fields.map(() => 0) };
    const hidden = objectIdsOf([...ids]);
    for (let at = 0; at < hidden.length; at += batchSize) {
      const document_id = { $in: hidden.slice(at, at + batchSize) };
      add(total, { all: await counted(organizationId, promptId, { document_id }) }, 1);
    }
    lastUnlisted.set(organizationId + name, { ids, stamp, figures: total.all });
    return total.all;
  }

  return {
    /** Without documents that no list shows. */
    async ofPrompt(organizationId: string, promptId: string): Promise<StraightThrough & { isWhole: boolean }> {
      const summed = summedOf(organizationId, promptId);
      const { figures, isWhole, wasWhole = isWhole } = await sums.get(summed, maxInRequest);
      if (!isWhole) await wake();
      const total = { all: [...(figures['all'] ?? [])] };
      // Sums that were never whole have not all of them.
      if (wasWhole) add(total, { all: await ofUnlisted(summed, promptId) }, -1);
      // Those that came since are subtracted too.
      const [values = 0, accepted = 0, sampled = 0, sampled_wrong = 0] = total.all.map((each) => Math.max(each, 0));
      return { values, accepted, sampled, sampled_wrong, isWhole };
    },
    /** Measures what has changed since a while, and prompts that were asked for first. */
    keepUp: (signal: AbortSignal): Promise<void> =>
      sums.keepUp(prefix, ({ organizationId, name }) => summedOf(organizationId, name.slice(prefix.length)), signal),
  };
}
