import { outboxEvent } from '../event-log/index.ts';
import mongoose, { type Connection } from 'mongoose';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { runModel, type Failure, type RunRecord } from './run-model.ts';
import { storedRun, type StoredRun } from './run-repository.ts';

/** A run whose documents this process queues. */
export interface RunClaim {
  run: StoredRun;
  token: string;
}

/** How long a claim lasts without a renewal. */
const claimMs = 20_000;

/** The active runs of all organizations. Writes with a claim succeed only for its holder. */
export interface ActiveRunRepository {
  /** Claims the oldest run whose documents no process is queueing: one of those with many, or one of the others. */
  claimQueued(size?: 'large'): Promise<RunClaim | undefined>;
  /** It has many documents: the job that queues those of large runs continues. */
  passToLarge(claim: RunClaim): Promise<void>;
  /** Stores the documents of the run; false if the claim is lost. */
  decide(claim: RunClaim, matched: number, documentIds: string[]): Promise<boolean>;
  /** Renews the claim and stores refused documents; returns the run, or undefined if the claim is lost. */
  renew(claim: RunClaim, refused: RunRecord['refused']): Promise<StoredRun | undefined>;
  /** Stores that all documents of the run are queued, and releases the claim. */
  markQueued(claim: RunClaim): Promise<void>;
  /** The run cannot start. */
  fail(claim: RunClaim, error: Failure): Promise<void>;
  /** Releases the claim: another process continues. */
  release(claim: RunClaim): Promise<void>;
  /** Runs whose documents are all in the queue, and runs that were stopped before that. */
  listRunning(): Promise<StoredRun[]>;
  /** True for the one caller that ended the run. */
  end(run: StoredRun, state: 'completed' | 'stopped', final: NonNullable<RunRecord['final']>): Promise<boolean>;
}

export function createActiveRunRepository(connection: Connection, leaseMs = claimMs): ActiveRunRepository {
  const model = runModel(connection);
  const leases = createLeases<RunRecord>(model.collection, leaseFields);
  const one = (run: StoredRun) => ({ _id: new mongoose.Types.ObjectId(run.id), active: true as const });

  return {
    async claimQueued(size) {
      const waiting = { active: true, state: 'queued', is_large: size === 'large' ? true : null };
      const claim = await leases.claim(waiting, { milliseconds: leaseMs, sort: { _id: 1 } });
      return claim && { run: storedRun(claim.record), token: claim.token };
    },
    async decide({ run, token }, matched, documentIds) {
      const document_ids = documentIds.map((id) => new mongoose.Types.ObjectId(id));
      return await leases.write(one(run), token, { $set: { matched, document_ids, started_at: new Date() } });
    },
    async renew({ run, token }, refused) {
      const set = { refused: { $concatArrays: ['$refused', { $literal: refused }] } };
      const record = await leases.renew(one(run), token, leaseMs, refused.length > 0 ? set : {});
      return record && storedRun(record);
    },
    async markQueued({ run, token }) {
      await leases.release(one(run), token, { $set: { state: 'running' } });
    },
    async passToLarge({ run, token }) {
      await leases.release(one(run), token, { $set: { is_large: true } });
    },
    async fail({ run, token }, error) {
      const now = new Date();
      const set = { state: 'failed', error, started_at: run.started_at ?? now, ended_at: now };
      await leases.release(one(run), token, { $set: set, $unset: { active: 1 } });
    },
    async release({ run, token }) {
      await leases.release(one(run), token);
    },
    async listRunning() {
      const records = await model.find({ active: true, state: 'running' }).sort({ _id: 1 }).lean();
      return records.map(storedRun);
    },
    async end(run, state, final) {
      const { modifiedCount } = await model.updateOne(
        { ...one(run), state: 'running' },
        {
          $set: { state, final, ended_at: new Date() },
          $unset: { active: 1 },
          $push: { event_outbox: outboxEvent('run.completed', { state }) },
        },
      );
      return modifiedCount === 1;
    },
  };
}
