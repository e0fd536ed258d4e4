import type { DocumentBulkState } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { createClaimsInTurn, noAttempts } from '../../platform/leases/claims-in-turn.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { withCalls } from '../../turn-writes/write-origin.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { bulkChangeModel, bulkModel, type BulkRecord, type Reason, type UndoConflict } from './bulk-model.ts';

/** A job without the ids of its documents, which can be very many. */
export type StoredBulk = Omit<BulkRecord, 'document_ids'>;

type NewBulk = Pick<BulkRecord, 'action' | 'query' | 'left_out' | 'prompt_id' | 'message' | 'role' | 'state'> & {
  id: string;
  applied_calls: string[];
  document_ids: string[];
  tag_ids: string[];
  run_id: string | null;
  requested_by: string;
};

/** The bulk jobs of one organization. */
export type BulkRepository = ReturnType<ReturnType<typeof createBulkRepositories>>;

const withoutDocuments = { document_ids: 0 } as const;
const active = { active: true as const };

export function createBulkRepositories(connection: Connection) {
  const model = bulkModel(connection);
  const changes = bulkChangeModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string): QueryFilter<BulkRecord> => ({ _id: objectIdOf(id) ?? null, organization_id });
    return {
      async insert({ id, document_ids, tag_ids, run_id, requested_by, ...bulk }: NewBulk): Promise<StoredBulk> {
        const created = await model.create({
          ...bulk,
          _id: new mongoose.Types.ObjectId(id),
          organization_id,
          document_ids: objectIdsOf(document_ids),
          tag_ids: objectIdsOf(tag_ids),
          total: document_ids.length,
          run_id: run_id === null ? null : new mongoose.Types.ObjectId(run_id),
          requested_by: new mongoose.Types.ObjectId(requested_by),
          created_at: new Date(),
          ...(run_id === null ? active : {}),
        });
        return created.toObject();
      },
      async get(id: string): Promise<StoredBulk | undefined> {
        return (await model.findOne(one(id), withoutDocuments).lean()) ?? undefined;
      },
      /** Newest first. Optionally only the jobs of one user. */
      async list(page: PageSelection, requestedBy: string | undefined): Promise<{ jobs: StoredBulk[] } & PageEnd> {
        const own = requestedBy === undefined ? {} : { requested_by: new mongoose.Types.ObjectId(requestedBy) };
        const filter: QueryFilter<BulkRecord> = { organization_id, ...own };
        const selection = { ...page, sort: { _id: -1 }, projection: withoutDocuments } as const;
        const { records, end } = await readPage(model, filter, selection);
        return { jobs: records, ...end };
      },
      /** The documents that the job has restored from the trash. */
      async restoredBy(id: string): Promise<string[]> {
        const restored = {
          organization_id,
          bulk_id: objectIdOf(id) ?? null,
          undone: false,
          trashed: { $exists: true },
        };
        return (await changes.distinct('document_id', restored)).map(String);
      },
      async countActive(): Promise<number> {
        return await model.countDocuments({ organization_id, ...active });
      },
      /** Returns false if the job has ended. */
      async requestStop(id: string, callIds?: readonly string[]): Promise<boolean> {
        const pending = { ...one(id), state: { $in: ['queued', 'running'] as const } };
        const stop = { $set: { stop_requested: true }, ...withCalls(callIds) };
        return (await model.updateOne(pending, stop)).matchedCount === 1;
      },
      /** Queues the undo of the job. Returns false if the job is active or already undone. */
      async requestUndo(id: string, callIds?: readonly string[]): Promise<boolean> {
        const undo = { state: 'running', undone: 0, conflict_count: 0, conflicts: [] };
        const ended = { ...one(id), active: null, 'undo.state': { $ne: 'completed' as const } };
        const start = { $set: { undo, ...active, ...noAttempts }, ...withCalls(callIds) };
        return (await model.updateOne(ended, start)).matchedCount === 1;
      },
    };
  };
}

/** A job that this process executes. */
export interface BulkClaim {
  bulk: BulkRecord;
  token: string;
}

/** The outcome of one chunk of documents. */
export interface ChunkOutcome {
  succeeded: number;
  unchanged: number;
  failures: (Reason & { document_id: string })[];
}

/** The active jobs of all organizations. Each step succeeds only for the holder of the lease. */
export type ActiveBulkRepository = ReturnType<typeof createActiveBulkRepository>;

/** How long a lease is valid without a renewal. */
const claimMs = 20_000;
/** The limit of stored failures and conflicts. */
const maxListed = 100;

export function createActiveBulkRepository(connection: Connection, leaseMs = claimMs) {
  const model = bulkModel(connection);
  const leases = createLeases<BulkRecord>(model.collection, leaseFields);
  const claimInTurn = createClaimsInTurn(model.collection, leases);
  const one = ({ bulk }: BulkClaim) => ({ _id: bulk._id });
  const held = (claim: BulkClaim) => ({ ...one(claim), ...leases.held(claim.token) });
  const inactive = { $unset: { active: 1 } } as const;
  return {
    /** Claims the next job without a valid lease. Organizations take turns. */
    async claim(): Promise<BulkClaim | undefined> {
      const claim = await claimInTurn(active, { milliseconds: leaseMs });
      return claim && { bulk: claim.record, token: claim.token };
    },
    /** Returns false if the lease is lost. */
    async renew(claim: BulkClaim): Promise<boolean> {
      return (await leases.renew(one(claim), claim.token, leaseMs)) !== undefined;
    },
    async start(claim: BulkClaim): Promise<void> {
      const started = { $set: { state: 'running', started_at: new Date() } };
      await leases.write({ ...one(claim), state: 'queued' }, claim.token, started);
    },
    /** Stores the outcome of a chunk. Returns whether to stop, or undefined if the lease is lost. */
    async advance(
      claim: BulkClaim,
      position: number,
      { succeeded, unchanged, failures }: ChunkOutcome,
    ): Promise<{ stop: boolean } | undefined> {
      const record = await model
        .findOneAndUpdate(
          held(claim),
          {
            $set: { position, ...noAttempts },
            $inc: { succeeded, unchanged, failed: failures.length },
            $push: { failures: { $each: failures, $slice: maxListed } },
          },
          { returnDocument: 'after', projection: { stop_requested: 1 } },
        )
        .lean();
      return record === null ? undefined : { stop: record.stop_requested };
    },
    /** A completed job that somebody has stopped is `stopped`. */
    async finish(claim: BulkClaim, state: 'completed' | 'failed', error?: Reason): Promise<void> {
      const finishAs = (as: DocumentBulkState, only: object) => {
        const set = { state: as, ended_at: new Date(), ...(error && { error }) };
        return leases.release({ ...one(claim), ...only }, claim.token, { $set: set, ...inactive });
      };
      if (state === 'completed' && (await finishAs('stopped', { stop_requested: true }))) return;
      await finishAs(state, {});
    },
    /** Stores the outcome of a chunk of the undo, which ended with `last`. Returns false if the lease is lost. */
    async advanceUndo(
      claim: BulkClaim,
      last: mongoose.Types.ObjectId,
      { undone, conflicts }: { undone: number; conflicts: UndoConflict[] },
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(held(claim), {
        $set: { 'undo.last': last, ...noAttempts },
        $inc: { 'undo.undone': undone, 'undo.conflict_count': conflicts.length },
        $push: { 'undo.conflicts': { $each: conflicts, $slice: maxListed } },
      });
      return matchedCount === 1;
    },
    async finishUndo(claim: BulkClaim, as?: 'incomplete'): Promise<void> {
      const finishAs = (state: string, only: object) =>
        leases.release({ ...one(claim), ...only }, claim.token, { $set: { 'undo.state': state }, ...inactive });
      if (as !== undefined) return void (await finishAs(as, {}));
      if (!(await finishAs('completed', { 'undo.conflict_count': 0 }))) await finishAs('incomplete', {});
    },
    /** Releases the lease for another worker. */
    async release(claim: BulkClaim): Promise<void> {
      await leases.release(one(claim), claim.token, { $set: noAttempts });
    },
  };
}
