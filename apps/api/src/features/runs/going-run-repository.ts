import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { createLeaseWatch } from '../../platform/database/lease-watch.ts';
import { runModel, type Failure, type RunRecord } from './run-model.ts';
import { storedRun, type StoredRun } from './run-repository.ts';

/** A run whose documents this process hands to the queue. */
export interface RunClaim {
  run: StoredRun;
  owner: string;
}

/** How long a claim holds without being renewed, as others see it. */
const takeAfterMs = 20_000;

/** The runs of all organizations that go on. */
export interface GoingRunRepository {
  /** Takes the oldest whose documents nobody hands to the queue. */
  claimQueued(): Promise<RunClaim | undefined>;
  /** Decides its documents; false where the claim is lost. */
  decide(claim: RunClaim, matched: number, documentIds: string[]): Promise<boolean>;
  /** Renews the claim and notes what the queue refused; how the run stands, or undefined where the claim is lost. */
  renew(claim: RunClaim, refused: RunRecord['refused']): Promise<StoredRun | undefined>;
  /** All its documents are with the queue. */
  handedOver(claim: RunClaim): Promise<void>;
  /** It cannot begin. */
  fail(claim: RunClaim, error: Failure): Promise<void>;
  /** Gives it back, for another to take up. */
  release(claim: RunClaim): Promise<void>;
  /** Runs whose documents are all with the queue, and those that were stopped before. */
  going(): Promise<StoredRun[]>;
  /** True for the one caller that ended it. */
  end(run: StoredRun, state: 'completed' | 'stopped', final: NonNullable<RunRecord['final']>): Promise<boolean>;
}

export function createGoingRunRepository(connection: Connection, afterMs = takeAfterMs): GoingRunRepository {
  const model = runModel(connection);
  const one = (run: StoredRun) => ({ _id: new mongoose.Types.ObjectId(run.id), active: true as const });
  const held = ({ run, owner }: RunClaim): QueryFilter<RunRecord> => ({ ...one(run), 'lease.owner': owner });
  const takeFromTheDead = createLeaseWatch(model.collection, { active: true, state: 'queued' }, afterMs);
  const ended = { $unset: { active: 1, lease: 1 } } as const;

  return {
    async claimQueued() {
      await takeFromTheDead();
      const owner = randomUUID();
      const record = await model
        .findOneAndUpdate(
          {
            active: true,
            state: 'queued',
            lease: null,
          },
          { $set: { lease: { owner, beat: 0 } } },
          { sort: { _id: 1 }, returnDocument: 'after' },
        )
        .lean();
      return record === null ? undefined : { run: storedRun(record), owner };
    },
    async decide(claim, matched, documentIds) {
      const document_ids = documentIds.map((id) => new mongoose.Types.ObjectId(id));
      const set = { matched, document_ids, started_at: new Date() };
      const { matchedCount } = await model.updateOne(held(claim), { $set: set, $inc: { 'lease.beat': 1 } });
      return matchedCount === 1;
    },
    async renew(claim, refused) {
      const record = await model
        .findOneAndUpdate(
          held(claim),
          { $inc: { 'lease.beat': 1 }, $push: { refused: { $each: refused } } },
          { returnDocument: 'after' },
        )
        .lean();
      return record === null ? undefined : storedRun(record);
    },
    async handedOver(claim) {
      await model.updateOne(held(claim), { $set: { state: 'running' }, $unset: { lease: 1 } });
    },
    async fail(claim, error) {
      const now = new Date();
      const set = { state: 'failed' as const, error, started_at: claim.run.started_at ?? now, ended_at: now };
      await model.updateOne(held(claim), { $set: set, ...ended });
    },
    async release(claim) {
      await model.updateOne(held(claim), { $unset: { lease: 1 } });
    },
    async going() {
      const records = await model.find({ active: true, state: 'running' }).sort({ _id: 1 }).lean();
      return records.map(storedRun);
    },
    async end(run, state, final) {
      const { modifiedCount } = await model.updateOne(
        { ...one(run), state: 'running' },
        { $set: { state, final, ended_at: new Date() }, ...ended },
      );
      return modifiedCount === 1;
    },
  };
}
