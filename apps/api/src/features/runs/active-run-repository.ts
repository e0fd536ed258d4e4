import { outboxEvent } from '../event-log/index.ts';
import mongoose, { type Connection } from 'mongoose';
import { createClaimsInTurn, noAttempts } from '../../platform/leases/claims-in-turn.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { damaged, runModel, type Failure, type RunRecord } from './run-model.ts';
import { soundRun, storedRun, type StoredRun } from './run-repository.ts';

/** A run whose documents this process queues. */
export interface RunClaim {
  run: StoredRun;
  token: string;
}

/** How long a claim lasts without a renewal. */
const claimMs = 20_000;

/** The active runs of all organizations. Writes with a claim succeed only for its holder. */
export type ActiveRunRepository = ReturnType<typeof createActiveRunRepository>;

/** Ends a run that cannot be worked on. */
function failed(error: Failure, startedAt?: Date | null) {
  const now = new Date();
  return {
    $set: { state: 'failed' as const, error, started_at: startedAt ?? now, ended_at: now },
    $unset: { active: 1 as const },
  };
}

export function createActiveRunRepository(connection: Connection, leaseMs = claimMs) {
  const model = runModel(connection);
  const leases = createLeases<RunRecord>(model.collection, leaseFields);
  const claimInTurn = createClaimsInTurn(model.collection, leases);
  const one = (run: StoredRun) => ({ _id: new mongoose.Types.ObjectId(run.id), active: true as const });

  return {
    /**
     * Claims the next run whose documents no process is queueing: one of those with many, or one of the others. Organizations
     * take turns.
     */
    async claimQueued(size?: 'large'): Promise<RunClaim | undefined> {
      const waiting = { active: true, state: 'queued', is_large: size === 'large' ? true : null };
      for (;;) {
        const claim = await claimInTurn(waiting, { milliseconds: leaseMs });
        if (claim === undefined) return undefined;
        const run = soundRun(claim.record);
        if (run !== undefined) return { run, token: claim.token };
        await leases.release({ _id: claim.record._id }, claim.token, failed(damaged));
      }
    },
    /** Stores the documents of the run; false if the claim is lost. */
    async decide({ run, token }: RunClaim, matched: number, documentIds: string[]): Promise<boolean> {
      const document_ids = documentIds.map((id) => new mongoose.Types.ObjectId(id));
      return await leases.write(one(run), token, { $set: { matched, document_ids, started_at: new Date() } });
    },
    /** Renews the claim and stores refused documents; returns the run, or undefined if the claim is lost. */
    async renew({ run, token }: RunClaim, refused: RunRecord['refused']): Promise<StoredRun | undefined> {
      const set = { refused: { $concatArrays: ['$refused', { $literal: refused }] } };
      const record = await leases.renew(one(run), token, leaseMs, refused.length > 0 ? set : {});
      return record && storedRun(record);
    },
    /** Stores that all documents of the run are queued, and releases the claim. */
    async markQueued({ run, token }: RunClaim): Promise<void> {
      await leases.release(one(run), token, { $set: { state: 'running', ...noAttempts } });
    },
    /** It has many documents: the job that queues those of large runs continues. */
    async passToLarge({ run, token }: RunClaim): Promise<void> {
      await leases.release(one(run), token, { $set: { is_large: true, ...noAttempts } });
    },
    /** The run cannot start. */
    async fail({ run, token }: RunClaim, error: Failure): Promise<void> {
      await leases.release(one(run), token, failed(error, run.started_at));
    },
    /** Releases the claim: this or another process continues. */
    async release({ run, token }: RunClaim): Promise<void> {
      await leases.release(one(run), token, { $set: noAttempts });
    },
    /** Runs whose documents are all in the queue, and runs that were stopped before that. */
    async listRunning(): Promise<StoredRun[]> {
      const records = await model.find({ active: true, state: 'running' }).sort({ _id: 1 }).lean();
      const runs: StoredRun[] = [];
      for (const record of records) {
        const run = soundRun(record);
        if (run !== undefined) runs.push(run);
        else await model.updateOne({ _id: record._id }, failed(damaged));
      }
      return runs;
    },
    /** True for the one caller that ended the run. */
    async end(
      run: StoredRun,
      state: 'completed' | 'stopped',
      final: NonNullable<RunRecord['final']>,
    ): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        // A run that somebody stopped meanwhile is stopped at the next look.
        { ...one(run), state: 'running', stop_requested: state === 'stopped' },
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
