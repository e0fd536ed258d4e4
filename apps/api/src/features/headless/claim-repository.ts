import type { AgentLog, OnAsk, ReplaceLevel, Role } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createWaitingCallWriter } from '../turns/waiting-call-repository.ts';
import { documentRunModel, expiresAt, type DocumentRunRecord } from './document-run-model.ts';
import { presentRun } from './document-run-repository.ts';
import type { DocumentRun } from './headless-queue.ts';

/** A run that one worker holds, with everything that is needed to do it. */
export interface ClaimedRun extends DocumentRun {
  owner: string;
  role: Role;
  message: string | null;
  promptId: string | null;
  replace: ReplaceLevel | undefined;
  scheduleId: string | undefined;
  onAsk: OnAsk;
  /** The turn that it goes on with: it was parked, and may have been decided since. */
  parkedTurn: string | undefined;
  autoApprovedTools: readonly string[];
  /** How often it was put off until another run had ended. */
  waits: number;
  /** Of this attempt. */
  turnId: string;
  /** Of attempts whose worker died, or gave the run back. */
  formerTurnIds: readonly string[];
}

/** What a run proposes, and whether it made the prompt itself. */
export interface RunProposal {
  prompt_revid: string;
  schema_revid?: string;
  created?: true;
}

/** How a run ended. */
export interface RunOutcome {
  state: 'succeeded' | 'failed' | 'cancelled' | 'skipped' | 'waiting';
  error: { code: string; message: string } | null;
  proposal: RunProposal | null;
  log: AgentLog;
  spuUsed: number;
  /** Of one that waits. */
  parkedTurn?: string;
}

/** A lease as somebody else sees it. */
export interface SeenLease {
  id: string;
  owner: string;
  beat: number;
}

/** An ended run whose document is to say so. */
export interface UnsettledRun extends DocumentRun {
  proposal: RunOutcome['proposal'];
}

/** The same runs, as workers take and end them: each step succeeds for the holder of the lease alone. */
export interface ClaimRepository {
  /** The first in the queue, but for those organizations. */
  claimNext(owner: string, withoutOrganizations: readonly string[]): Promise<ClaimedRun | undefined>;
  /** False where the run is held no more. */
  renew(run: ClaimedRun): Promise<{ isCancelAsked: boolean } | false>;
  /** What runs anywhere. */
  leases(): Promise<SeenLease[]>;
  /** Puts a run back whose lease still is as it was seen; false where it is not. */
  takeFrom(seen: SeenLease): Promise<boolean>;
  /** Puts a run back as if it had not been begun. */
  release(run: ClaimedRun): Promise<void>;
  /** The same until another run has ended: `freeWaiting` puts it back into the queue. */
  putOff(run: ClaimedRun, waitsFor: string): Promise<void>;
  /** How many runs waited for that one. */
  freeWaiting(runId: string): Promise<number>;
  /** Frees what waits for runs that have ended; how many there were. */
  freeOrphans(): Promise<number>;
  /** Says that it will fail, before what it left is removed: whoever comes after only goes on with that. */
  condemn(run: ClaimedRun, error: { code: string; message: string }): Promise<boolean>;
  /**
   * Turns whose writes were taken back: an undo of the run has nothing to do with them any more, and nobody is asked what
   * they were about to ask when their worker died.
   */
  forgetTurns(run: ClaimedRun, turnIds: readonly string[]): Promise<void>;
  setThread(run: ClaimedRun, threadId: string): Promise<void>;
  /** False where the run is held no more. */
  finish(run: ClaimedRun, outcome: RunOutcome): Promise<boolean>;
  ended(id: string): Promise<UnsettledRun | undefined>;
  unsettled(limit: number): Promise<UnsettledRun[]>;
  settled(id: string): Promise<void>;
}

export function createClaimRepository(connection: Connection): ClaimRepository {
  const model = documentRunModel(connection);
  const waitingCalls = createWaitingCallWriter(connection);
  const held = ({ id, owner }: Pick<ClaimedRun, 'id' | 'owner'>) => ({
    _id: new mongoose.Types.ObjectId(id),
    state: 'running' as const,
    'lease.owner': owner,
  });

  async function freeWaiting(runId: string): Promise<number> {
    const waits_for = new mongoose.Types.ObjectId(runId);
    return (await model.updateMany({ waits_for }, { $unset: { waits_for: 1 } })).modifiedCount;
  }

  return {
    async claimNext(owner, withoutOrganizations) {
      const turnId = new mongoose.Types.ObjectId().toHexString();
      const organizations = withoutOrganizations.map((id) => new mongoose.Types.ObjectId(id));
      const record = await model
        .findOneAndUpdate(
          {
            state: 'queued',
            waits_for: null,
            ...(organizations.length > 0 ? { organization_id: { $nin: organizations } } : {}),
          },
          {
            $set: { state: 'running', lease: { owner, beat: 0 }, started_at: new Date() },
            $inc: { attempts: 1 },
            $push: { turn_ids: turnId },
          },
          { sort: { rank: 1, _id: 1 }, returnDocument: 'after' },
        )
        .lean();
      return record === null ? undefined : claimed(record, owner, turnId);
    },
    async renew(run) {
      const record = await model
        .findOneAndUpdate(held(run), { $inc: { 'lease.beat': 1 } }, { projection: { is_cancel_asked: 1 } })
        .lean();
      return record === null ? false : { isCancelAsked: record.is_cancel_asked };
    },
    async leases() {
      const records = await model.find({ state: 'running' }, { lease: 1 }).lean();
      return records.flatMap(({ _id, lease }) => (lease ? [{ id: _id.toHexString(), ...lease }] : []));
    },
    async takeFrom({ id, owner, beat }) {
      const { modifiedCount } = await model.updateOne(
        { ...held({ id, owner }), 'lease.beat': beat },
        { $set: { state: 'queued', lease: null } },
      );
      return modifiedCount === 1;
    },
    async release(run) {
      await model.updateOne(held(run), { $set: { state: 'queued', lease: null }, $inc: { attempts: -1 } });
    },
    async putOff(run, waitsFor) {
      const waits_for = new mongoose.Types.ObjectId(waitsFor);
      await model.updateOne(held(run), {
        $set: { state: 'queued', lease: null, waits_for },
        $inc: { attempts: -1, waits: 1 },
      });
      // It may have ended between the look and the wait.
      if (!(await model.exists({ _id: waits_for, ...isActive }))) await freeWaiting(waitsFor);
    },
    freeWaiting,
    async freeOrphans() {
      const waited = await model.distinct('waits_for', { state: 'queued', waits_for: { $ne: null } });
      const ids = waited.filter((id) => id !== null && id !== undefined);
      if (ids.length === 0) return 0;
      const active = await model.find({ _id: { $in: ids }, ...isActive }, { _id: 1 }).lean();
      const going = new Set(active.map(({ _id }) => _id.toHexString()));
      let freed = 0;
      for (const id of ids) if (!going.has(id.toHexString())) freed += await freeWaiting(id.toHexString());
      return freed;
    },
    async condemn(run, error) {
      return (await model.updateOne(held(run), { $set: { error } })).matchedCount === 1;
    },
    async forgetTurns(run, turnIds) {
      await Promise.all(turnIds.map((turnId) => waitingCalls.remove(turnId)));
      await model.updateOne(held(run), { $pull: { turn_ids: { $in: [...turnIds] } } });
    },
    async setThread(run, threadId) {
      await model.updateOne(held(run), { $set: { thread_id: threadId } });
      run.threadId = threadId;
    },
    async finish(run, { state, error, proposal, log, spuUsed, parkedTurn }) {
      if (state === 'waiting') {
        const waiting = {
          state,
          error: null,
          log: JSON.stringify(log),
          lease: null,
          parked_turn: parkedTurn ?? run.turnId,
          ...(run.kind === 'auto_create' ? { is_unsettled: true } : {}),
        };
        const parked = await model.updateOne(held(run), { $set: waiting, $inc: { spu_used: spuUsed } });
        return parked.matchedCount === 1;
      }
      const { matchedCount } = await model.updateOne(held(run), {
        $set: {
          state,
          error,
          proposal,
          log: JSON.stringify(log),
          lease: null,
          ended_at: new Date(),
          ...(run.kind === 'auto_create' ? { is_unsettled: true } : {}),
          // A proposal is told of as long as its document is there.
          ...(run.runId !== null && proposal === null ? { expires_at: expiresAt() } : {}),
        },
        $inc: { spu_used: spuUsed },
        $unset: { auto_create_of: 1, parked_turn: 1 },
      });
      return matchedCount === 1;
    },
    async ended(id) {
      const record = await model.findOne({ _id: new mongoose.Types.ObjectId(id) }, { log: 0 }).lean();
      return record === null ? undefined : { ...presentRun(record), proposal: record.proposal };
    },
    async unsettled(limit) {
      const records = await model.find({ is_unsettled: true, kind: 'auto_create' }, { log: 0 }).limit(limit).lean();
      return records.map((record) => ({ ...presentRun(record), proposal: record.proposal }));
    },
    async settled(id) {
      await model.updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $unset: { is_unsettled: 1 } });
    },
  };
}

/** Until its document says how it has ended, a run counts as going on. */
const isActive = { $or: [{ state: { $in: ['queued', 'running'] as const } }, { is_unsettled: true }] };

function claimed(record: DocumentRunRecord, owner: string, turnId: string): ClaimedRun {
  return {
    ...presentRun(record),
    owner,
    role: record.role,
    message: record.message,
    promptId: record.prompt_id,
    replace: record.replace,
    scheduleId: record.schedule_id?.toHexString(),
    onAsk: record.on_ask ?? 'deny',
    parkedTurn: record.parked_turn,
    autoApprovedTools: record.auto_approved_tools,
    waits: record.waits ?? 0,
    turnId,
    formerTurnIds: record.turn_ids.filter((id) => id !== turnId),
  };
}
