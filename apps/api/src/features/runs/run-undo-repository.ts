import { randomUUID } from 'node:crypto';
import type { RunUndoConflict } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createLeaseWatch } from '../../platform/database/lease-watch.ts';
import { runModel, type RunRecord } from './run-model.ts';
import { storedRun, type StoredRun } from './run-repository.ts';

/** A run whose writes this process takes back. */
export interface RunUndoClaim {
  run: StoredRun;
  owner: string;
}

/** Runs of all organizations that are being undone. An ended run has no other use for its lease. */
export interface RunUndoRepository {
  claim(): Promise<RunUndoClaim | undefined>;
  /** False where another process has taken the claim. */
  renew(claim: RunUndoClaim): Promise<boolean>;
  /** One more document is undone, or none where only the conflicts changed. */
  progress(claim: RunUndoClaim, undone: number): Promise<boolean>;
  finish(claim: RunUndoClaim, conflicts: RunUndoConflict[]): Promise<void>;
  release(claim: RunUndoClaim): Promise<void>;
}

/** How long a claim holds without being renewed, as others see it. */
const takeAfterMs = 15_000;

export function createRunUndoRepository(connection: Connection, afterMs = takeAfterMs): RunUndoRepository {
  const model = runModel(connection);
  const takeFromTheDead = createLeaseWatch(model.collection, { 'undo.state': 'running' }, afterMs);
  const held = ({ run, owner }: RunUndoClaim) => ({
    _id: new mongoose.Types.ObjectId(run.id),
    'undo.state': 'running' as const,
    'lease.owner': owner,
  });
  const beat = { $inc: { 'lease.beat': 1 } };

  return {
    async claim() {
      await takeFromTheDead();
      const owner = randomUUID();
      const record = await model
        .findOneAndUpdate(
          { 'undo.state': 'running', lease: null },
          { $set: { lease: { owner, beat: 0 } } },
          { sort: { _id: 1 }, returnDocument: 'after' },
        )
        .lean<RunRecord>();
      return record === null ? undefined : { run: storedRun(record), owner };
    },
    async renew(claim) {
      return (await model.updateOne(held(claim), beat)).matchedCount === 1;
    },
    async progress(claim, undone) {
      const update = { $inc: { 'lease.beat': 1 }, $set: { 'undo.undone': undone } };
      return (await model.updateOne(held(claim), update)).matchedCount === 1;
    },
    async finish(claim, conflicts) {
      const state = conflicts.length === 0 ? 'completed' : 'incomplete';
      await model.updateOne(held(claim), {
        $set: { 'undo.state': state, 'undo.conflicts': conflicts, 'undo.ended_at': new Date() },
        $unset: { lease: 1 },
      });
    },
    async release(claim) {
      await model.updateOne(held(claim), { $unset: { lease: 1 } });
    },
  };
}
