import mongoose, { type Connection } from 'mongoose';
import { LruMap } from 'toad-cache';
import { ignoreDuplicateKey, isDatabaseUnavailable } from '../connection.ts';
import { add, withoutZeros, type Figures } from '../figures.ts';
import type { Named, Summed } from './summed.ts';
import { keptContributionModel, keptSumModel, type SumRecord } from './kept-sums-model.ts';

/** Sums that are kept with what each member contributes, so that a look reads only what has changed since the last one. */
export type KeptSums = ReturnType<typeof createKeptSums>;

/** A user who looks at sums waits for the measuring of at most so many members; the job stops with its process. */
type MeasureLimits = { atMost: number } | { signal: AbortSignal };

/** Sums, and whether they include every member as it is now. */
interface SumsSoFar {
  figures: Figures;
  isWhole: boolean;
  /** They included every member once: some as it was then. */
  wasWhole?: true;
}

const batchSize = 200;
const maxAttempts = 50;
/** Characters of the contributions of one write: a record has at most 16 MB, and a character at most three bytes. */
const maxCharacters = 4_000_000;
const nothing = '{}';
/** Sums that did not change are noted as kept after this time. */
const touchedMs = 300_000;
const keepUpMs = 600_000;
const dayMs = 24 * 3_600_000;
/** Sums that nobody looked at for longer are measured at the next look. */
const lookedAtMs = 7 * dayMs;
/** Sums that nobody looked at for longer are removed. */
const removedMs = 30 * dayMs;

export function createKeptSums(connection: Connection) {
  const sums = keptSumModel(connection);
  const contributions = keptContributionModel(connection);
  const lastOfSets = new LruMap<{ version: number; sets: readonly ReadonlySet<string>[]; total: Figures }>(100);

  const keyOf = ({ organizationId, name }: Named) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    name,
  });

  async function contributionsOf(key: ReturnType<typeof keyOf>, members: readonly string[], first = 0) {
    const ofMembers = { ...key, member: { $in: [...members] }, version: { $gte: first } };
    const found = await contributions.find(ofMembers, { member: 1, figures: 1 }).lean();
    return new Map(found.map(({ member, figures }) => [member, figures]));
  }

  /** Stores the contributions of a write of the sums, unless a later write has stored newer ones. */
  async function storeLast(key: ReturnType<typeof keyOf>, { version, last }: Pick<SumRecord, 'version' | 'last'>) {
    const operations = last.map(({ member, figures }) => ({
      updateOne: {
        filter: { ...key, member, version: { $lt: version } },
        update: { $set: { version, figures } },
        upsert: true,
      },
    }));
    // The key is taken if a newer one is stored.
    await contributions.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKey);
    await sums.updateOne({ ...key, version }, { $set: { last: [] } });
  }

  async function createIfAbsent(key: ReturnType<typeof keyOf>): Promise<void> {
    // Later than every version of removed sums with this name.
    const version = Date.now();
    const empty = {
      version,
      first_version: version,
      figures: nothing,
      last: [],
      kept_at: new Date(0),
      looked_at: new Date(),
    };
    await sums.updateOne(key, { $setOnInsert: empty }, { upsert: true }).catch(ignoreDuplicateKey);
  }

  /** Measures the members again and changes the sums by the difference. Idempotent. */
  async function include(summed: Summed, members: readonly string[]): Promise<void> {
    const key = keyOf(summed);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      // Read before the members: unchanged sums at the write mean that no other process has measured newer ones.
      const kept = await sums.findOne(key).lean();
      if (kept === null) {
        await createIfAbsent(key);
        continue;
      }
      if (kept.last.length > 0) await storeLast(key, kept);
      const former = await contributionsOf(key, members, kept.first_version);
      const measured = await summed.measure(members);
      const last = members.flatMap((member) => {
        const figures = JSON.stringify(measured.get(member) ?? {});
        return figures === (former.get(member) ?? nothing) ? [] : [{ member, figures }];
      });
      if (last.length === 0) return;
      if (last.length > 1 && last.reduce((sum, { figures }) => sum + figures.length, 0) > maxCharacters) {
        const changed = last.map(({ member }) => member);
        const half = Math.ceil(changed.length / 2);
        await include(summed, changed.slice(0, half));
        return await include(summed, changed.slice(half));
      }
      const figures: Record<string, number[]> = JSON.parse(kept.figures);
      for (const { member, figures: own } of last) {
        add(figures, JSON.parse(former.get(member) ?? nothing), -1);
        add(figures, JSON.parse(own), 1);
      }
      const change = { version: kept.version + 1, figures: JSON.stringify(withoutZeros(figures)), last };
      const { matchedCount } = await sums.updateOne({ ...key, version: kept.version }, { $set: change });
      if (matchedCount === 0) continue;
      await storeLast(key, change);
      return;
    }
    throw new Error('Too many writes of the same kept sums at once.');
  }

  /** All members with a contribution: those without any record left are measured as zero. */
  async function* contributing(key: ReturnType<typeof keyOf>) {
    for (let after = ''; ;) {
      const later = { ...key, member: { $gt: after } };
      const found = await contributions.find(later, { member: 1 }).sort({ member: 1 }).limit(batchSize).lean();
      if (found.length === 0) return;
      after = found.at(-1)!.member;
      yield found.map(({ member }) => member);
    }
  }

  async function* changedSince(summed: Summed, kept: Pick<SumRecord, 'stamp' | 'kept_at'> | null) {
    const changed = kept?.stamp && summed.changed({ stamp: kept.stamp, keptAt: kept.kept_at });
    if (changed) yield* changed;
    else {
      // Those of removed members are measured as zero.
      yield* contributing(keyOf(summed));
      yield* summed.all();
    }
  }

  /** Returns false if the signal aborts, or a look finds more than it measures: only the first ones, for empty sums. */
  async function includeAll(
    summed: Summed,
    batches: AsyncIterable<readonly string[]>,
    limits: MeasureLimits,
  ): Promise<boolean> {
    const signal = 'signal' in limits ? limits.signal : undefined;
    const few = 'atMost' in limits ? await upTo(limits.atMost, batches) : undefined;
    if (few?.isMore) {
      const first = few.members.slice(0, batchSize);
      const isEmpty = Object.keys(await figuresOf(keyOf(summed))).length === 0;
      if (isEmpty && first.length > 0) await include(summed, first);
      return false;
    }
    for await (const members of few === undefined ? batches : only(few.members)) {
      const distinct = [...new Set(members)];
      for (let at = 0; at < distinct.length; at += batchSize) {
        if (signal?.aborted) return false;
        await include(summed, distinct.slice(at, at + batchSize));
      }
    }
    return true;
  }

  const stampOf = async (key: ReturnType<typeof keyOf>) =>
    await sums.findOne(key, { stamp: 1, kept_at: 1, looked_at: 1 }).lean();

  /** Notes that a user looks before anything else is read: sums that are looked at are not removed meanwhile. */
  async function looked(key: ReturnType<typeof keyOf>) {
    const kept = await stampOf(key);
    const now = new Date();
    if (kept === null || now.getTime() - (kept.looked_at?.getTime() ?? 0) <= dayMs) return kept;
    await sums.updateOne(key, { $set: { looked_at: now } });
    return await stampOf(key);
  }

  /** Empties the sums at once, so that a later look measures all anew, and deletes their contributions before them. */
  async function remove(
    kept: Pick<SumRecord, 'organization_id' | 'name' | 'version'>,
    unlooked: object,
  ): Promise<void> {
    const key = { organization_id: kept.organization_id, name: kept.name };
    const version = kept.version + 1;
    const empty = { version, first_version: version, figures: nothing, last: [] };
    const filter = { ...key, version: kept.version, ...unlooked };
    const { matchedCount } = await sums.updateOne(filter, { $set: empty, $unset: { stamp: 1 } });
    if (matchedCount === 0) return;
    for (;;) {
      const former = { ...key, version: { $lt: version } };
      const found = await contributions.find(former, { _id: 1 }).limit(batchSize).lean();
      if (found.length === 0) break;
      await contributions.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...former });
    }
    await sums.deleteOne({ ...key, version, ...unlooked });
  }

  async function figuresOf(key: ReturnType<typeof keyOf>): Promise<Figures> {
    const found = await sums.findOne(key, { figures: 1 }).lean();
    return JSON.parse(found?.figures ?? nothing);
  }

  async function get(summed: Summed, limits: MeasureLimits): Promise<SumsSoFar> {
    const key = keyOf(summed);
    // Before the stamp: a change leaves these once a stamp shows it.
    const unstamped = (await summed.unstamped?.()) ?? [];
    const [kept, stamp] = await Promise.all(['atMost' in limits ? looked(key) : stampOf(key), summed.stamp()]);
    const now = new Date();
    const isCurrent =
      (kept?.stamp === stamp || (await includeAll(summed, changedSince(summed, kept), limits))) &&
      (await includeAll(summed, only(unstamped), limits));
    if (!isCurrent) {
      await createIfAbsent(key);
      // Due at once, but no older than it is: the next round measures what has changed since, not all.
      await sums.updateOne(key, { $min: { kept_at: new Date(now.getTime() - keepUpMs - 1) } });
      return { figures: await figuresOf(key), isWhole: false, ...(kept?.stamp !== undefined && { wasWhole: true }) };
    }
    if (kept?.stamp !== stamp || now.getTime() - kept.kept_at.getTime() > touchedMs) {
      await createIfAbsent(key);
      await sums.updateOne(key, { $set: { stamp, kept_at: now } });
    }
    return { figures: await figuresOf(key), isWhole: true };
  }

  return {
    /**
     * The sums over all members as they are now. If more than `atMost` members must be measured for that, the next `keepUp`
     * does it, and the sums are those of the members that have been measured so far.
     */
    get: (summed: Summed, atMost: number) => get(summed, { atMost }),
    /**
     * Measures what has changed for the sums whose names begin like this and that were not measured for ten minutes, but were
     * looked at in the last days. If one fails, the others are still measured, and the first error is thrown at the end. Removes
     * those that nobody looked at for a month, such as those of removed objects.
     */
    async keepUp(prefix: string, summedOf: (named: Named) => Summed, signal: AbortSignal) {
      const before = new Date(Date.now() - keepUpMs);
      const isDue = { kept_at: { $lt: before }, looked_at: { $gt: new Date(Date.now() - lookedAtMs) } };
      const due = await sums.find(isDue, { organization_id: 1, name: 1 }).lean();
      const failures: unknown[] = [];
      for (const { organization_id, name } of due) {
        if (signal.aborted) return;
        if (!name.startsWith(prefix)) continue;
        try {
          await get(summedOf({ organizationId: organization_id.toHexString(), name }), { signal });
        } catch (error) {
          if (isDatabaseUnavailable(error)) throw error;
          failures.push(error);
        }
      }
      const unlooked = { looked_at: { $lt: new Date(Date.now() - removedMs) } };
      for (const kept of await sums.find(unlooked, { organization_id: 1, name: 1, version: 1 }).lean()) {
        if (signal.aborted) return;
        if (kept.name.startsWith(prefix)) await remove(kept, unlooked);
      }
      if (failures.length > 0) throw failures[0];
    },
    /** What the members of these sets contribute. The sets do not change; the sum is read again once others are given. */
    async contributionOf(summed: Named, sets: readonly ReadonlySet<string>[]): Promise<Figures> {
      const key = keyOf(summed);
      const id = `${summed.organizationId} ${summed.name}`;
      const kept = await sums.findOne(key, { version: 1, first_version: 1, last: 1 }).lean();
      const known = lastOfSets.get(id);
      const isKnown = known?.version === kept?.version && known?.sets.every((set, at) => set === sets[at]);
      if (known && isKnown && known.sets.length === sets.length) return known.total;
      const members = [...new Set(sets.flatMap((set) => [...set]))];
      const total: Record<string, number[]> = {};
      for (let at = 0; at < members.length; at += 1_000) {
        const found = await contributionsOf(key, members.slice(at, at + 1_000), kept?.first_version);
        for (const figures of found.values()) add(total, JSON.parse(figures), 1);
      }
      // The contributions of the last write are stored after it.
      if (kept?.last.length === 0) lastOfSets.set(id, { version: kept.version, sets, total });
      return total;
    },
  };
}

async function* only(members: readonly string[]) {
  yield members;
}

/** The first distinct members, and whether there are more. */
async function upTo(atMost: number, batches: AsyncIterable<readonly string[]>) {
  const distinct = new Set<string>();
  for await (const members of batches) {
    for (const member of members) distinct.add(member);
    if (distinct.size > atMost) break;
  }
  return { members: [...distinct].slice(0, atMost), isMore: distinct.size > atMost };
}
