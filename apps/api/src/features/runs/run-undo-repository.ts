import type { RunUndoConflict } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createClaimsInTurn, noAttempts } from '../../platform/leases/claims-in-turn.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { runModel, type RunRecord, type UndoPass } from './run-model.ts';
import { soundRun, type StoredRun } from './run-repository.ts';

/** A run that this process undoes. */
export interface RunUndoClaim {
  run: StoredRun;
  token: string;
}

/** The running undos of all organizations. An ended run has no other use for its lease. */
export type RunUndoRepository = ReturnType<typeof createRunUndoRepository>;

/** How long a claim lasts without a renewal. */
const claimMs = 15_000;

function givenUp() {
  const set = { 'undo.state': 'incomplete', 'undo.ended_at': new Date(), ...noAttempts };
  return { $set: set, $unset: { 'undo.pass': 1 } };
}

export function createRunUndoRepository(connection: Connection, leaseMs = claimMs) {
  const model = runModel(connection);
  const leases = createLeases<RunRecord>(model.collection, leaseFields);
  const claimInTurn = createClaimsInTurn(model.collection, leases);
  const one = (run: StoredRun) => ({ _id: new mongoose.Types.ObjectId(run.id), 'undo.state': 'running' });

  return {
    /** Claims the next undo that no process is doing. Organizations take turns. */
    async claim(): Promise<RunUndoClaim | undefined> {
      for (;;) {
        const claim = await claimInTurn({ 'undo.state': 'running' }, { milliseconds: leaseMs });
        if (claim === undefined) return undefined;
        const run = soundRun(claim.record);
        if (run !== undefined) return { run, token: claim.token };
        await leases.release({ _id: claim.record._id }, claim.token, givenUp());
      }
    },
    /** False if another process has the claim. */
    async renew({ run, token }: RunUndoClaim): Promise<boolean> {
      return (await leases.renew(one(run), token, leaseMs)) !== undefined;
    },
    /** Stores the number of undone documents; false if the claim is lost. */
    async progress({ run, token }: RunUndoClaim, undone: number): Promise<boolean> {
      return await leases.write(one(run), token, { $set: { 'undo.undone': undone, ...noAttempts } });
    },
    async finish({ run, token }: RunUndoClaim, conflicts: RunUndoConflict[]): Promise<void> {
      const state = conflicts.length === 0 ? 'completed' : 'incomplete';
      const set = { 'undo.state': state, 'undo.conflicts': conflicts, 'undo.ended_at': new Date(), ...noAttempts };
      await leases.release(one(run), token, { $set: set, $unset: { 'undo.pass': 1 } });
    },
    /** The undo is not done: it can be asked for again. */
    async giveUp({ run, token }: RunUndoClaim): Promise<void> {
      await leases.release(one(run), token, givenUp());
    },
    /** Releases the claim: this or another process continues, after `pass` where that is known. */
    async release({ run, token }: RunUndoClaim, pass?: UndoPass): Promise<void> {
      await leases.release(one(run), token, { $set: { ...noAttempts, ...(pass && { 'undo.pass': pass }) } });
    },
  };
}
