import type { Collection, Connection, mongo } from 'mongoose';
import { isAhead } from '../database/database-clock.ts';
import { createLeases, leaseFields, type StoredLease } from '../leases/leases.ts';
import { thisProcess } from '../leases/process-identity.ts';

/** A part of a limit that one process holds. */
export interface PermitSlot {
  readonly id: number;
  /** How many permits it is. */
  readonly size: number;
}

interface SlotRecord {
  _id: number;
  lease?: StoredLease;
}

/** More slots would be more commands, fewer could not be shared by many processes. */
const maxSlots = 16;

export const leaseMs = 20_000;

/** The parts of a limit over all processes: a record each, under a lease by the database's clock. */
export type PermitSlots = ReturnType<typeof createPermitSlots>;

/**
 * @param collection of this limit alone
 * @param token tells this process's slots from those of others
 */
export function createPermitSlots(
  connection: Connection,
  collection: string,
  limit: number,
  token: string = thisProcess.instance,
) {
  const count = Math.min(limit, maxSlots);
  const records = connection.collection<SlotRecord>(collection);
  const leases = createLeases<SlotRecord>(records as unknown as Collection, leaseFields);
  const sizeOf = (id: number) => Math.floor(limit / count) + (id < limit % count ? 1 : 0);
  let ensured: Promise<unknown> | undefined;

  /** Once in each process, before its first claim. */
  async function ensure(): Promise<void> {
    const ids = Array.from({ length: count }, (_, id) => id);
    await records.bulkWrite(
      ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { _id } }, upsert: true } })),
      { ordered: false },
    );
  }

  return {
    count,
    /** Takes a free slot; undefined if all are taken. */
    async claim(): Promise<PermitSlot | undefined> {
      ensured ??= ensure().catch((error: unknown) => {
        ensured = undefined;
        throw error;
      });
      await ensured;
      const claim = await leases.claim({ _id: { $lt: count } }, { milliseconds: leaseMs, token });
      return claim && { id: claim.record._id, size: sizeOf(claim.record._id) };
    },
    /**
     * Keeps these slots for the time of a lease from now on. Returns the ids of those that are still this process's: a lease
     * that has ended is not renewed, since another process may count on the slot.
     */
    async renew(ids: readonly number[]): Promise<number[]> {
      const own = { _id: { $in: [...ids] }, ...leases.held(token), $expr: isAhead(leaseFields.until) };
      await leases.renewAll(own, leaseMs);
      const left = await records.find(own as mongo.Filter<SlotRecord>, { projection: { _id: 1 } }).toArray();
      return left.map(({ _id }) => _id);
    },
    /** Gives a slot back. */
    release: (slot: PermitSlot): Promise<boolean> => leases.release({ _id: slot.id }, token),
  };
}
