import type { RunUndoConflict } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { runModel, type RunRecord } from './run-model.ts';
import { storedRun, type StoredRun } from './run-repository.ts';

/** A run that this process undoes. */
export interface RunUndoClaim {
  run: StoredRun;
  token: string;
}

/** The running undos of all organizations. An ended run has no other use for its lease. */
export type RunUndoRepository = ReturnType<typeof createRunUndoRepository>;

/** How long a claim lasts without a renewal. */
const claimMs = 15_000;

export function createRunUndoRepository(connection: Connection, leaseMs = claimMs) {
  const model = runModel(connection);
  const leases = createLeases<RunRecord>(model.collection, leaseFields);
  const one = (run: StoredRun) => ({ _id: new mongoose.Types.ObjectId(run.id), 'undo.state': 'running' });

  return {
    async claim(): Promise<RunUndoClaim | undefined> {
      const running = { 'undo.state': 'running' };
      const claim = await leases.claim(running, { milliseconds: leaseMs, isRare: true, sort: { _id: 1 } });
      return claim && { run: storedRun(claim.record), token: claim.token };
    },
    /** False if another process has the claim. */
    async renew({ run, token }: RunUndoClaim): Promise<boolean> {
      return (await leases.renew(one(run), token, leaseMs)) !== undefined;
    },
    /** Stores the number of undone documents; false if the claim is lost. */
    async progress({ run, token }: RunUndoClaim, undone: number): Promise<boolean> {
      return await leases.write(one(run), token, { $set: { 'undo.undone': undone } });
    },
    async finish({ run, token }: RunUndoClaim, conflicts: RunUndoConflict[]): Promise<void> {
      const state = conflicts.length === 0 ? 'completed' : 'incomplete';
      const set = { 'undo.state': state, 'undo.conflicts': conflicts, 'undo.ended_at': new Date() };
      await leases.release(one(run), token, { $set: set });
    },
    async release({ run, token }: RunUndoClaim): Promise<void> {
      await leases.release(one(run), token);
    },
  };
}
