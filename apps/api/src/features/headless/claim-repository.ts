import type { AgentLog, OnAsk, ReplaceLevel, Role } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createPendingCallWriter } from '../turns/index.ts';
import { createLeases, leaseFields } from '../../platform/leases/leases.ts';
import { documentRunModel, expiresAt, type DocumentRunRecord } from './document-run-model.ts';
import { documentRunOf } from './document-run-repository.ts';
import type { DocumentRun, HeadlessKind } from './headless-queue.ts';

/** A run under one worker's lease, with everything needed to execute it. */
export interface ClaimedRun extends DocumentRun {
  token: string;
  role: Role;
  message: string | null;
  promptId: string | null;
  replace: ReplaceLevel | undefined;
  /** Whether a user waits for it. */
  isOfFew: boolean;
  scheduleId: string | undefined;
  onAsk: OnAsk;
  /** The parked turn to resume; it might be decided by now. */
  parkedTurn: string | undefined;
  autoApprovedTools: readonly string[];
  /** How often it was postponed until another run had ended. */
  waits: number;
  /** The turn of this attempt. */
  turnId: string;
  /** The turns of attempts whose worker died or released the run. */
  formerTurnIds: readonly string[];
}

/** A run's proposal; `created` if the run made the prompt itself. */
interface RunProposal {
  prompt_revid: string;
  schema_revid?: string;
  created?: true;
}

/** The outcome of a run. */
export interface RunOutcome {
  state: 'succeeded' | 'failed' | 'cancelled' | 'skipped' | 'waiting';
  error: { code: string; message: string } | null;
  proposal: RunProposal | null;
  log: AgentLog;
  spuUsed: number;
  /** The parked turn of a waiting run. */
  parkedTurn?: string;
}

/** An ended run whose document does not show its outcome yet. */
export interface UnsettledRun extends DocumentRun {
  proposal: RunOutcome['proposal'];
}

/** The runs as workers claim and finish them. Each step succeeds only for the holder of the lease. */
export type ClaimRepository = ReturnType<typeof createClaimRepository>;

/** How long a lease lasts unless renewed. A worker that cannot renew it stops its run well before. */
const defaultLeaseMs = 15_000;

export function createClaimRepository(connection: Connection, leaseMs = defaultLeaseMs) {
  const model = documentRunModel(connection);
  const pendingCalls = createPendingCallWriter(connection);
  const leases = createLeases<DocumentRunRecord>(model.collection, leaseFields);
  const running = ({ id }: Pick<ClaimedRun, 'id'>) => ({
    _id: new mongoose.Types.ObjectId(id),
    state: 'running' as const,
  });

  /** Ends damaged runs among the first ones, which no claim can change. False if all are sound. */
  async function endUnclaimable(waiting: object): Promise<boolean> {
    const first = await model.collection.find(waiting, { sort, limit: maxUnclaimable }).toArray();
    const damagedOnes = first.filter(
      ({ attempts, turn_ids }) => typeof attempts !== 'number' || !Array.isArray(turn_ids),
    );
    if (damagedOnes.length === 0) return false;
    await model.collection.updateMany({ _id: { $in: damagedOnes.map(({ _id }) => _id) } }, failed());
    return true;
  }

  async function requeueWaiting(runId: string): Promise<number> {
    const waits_for = new mongoose.Types.ObjectId(runId);
    return (await model.updateMany({ waits_for }, { $unset: { waits_for: 1 } })).modifiedCount;
  }

  return {
    /** Claims the first queued run, except of these organizations; with `few`, of those that a user waits for. */
    async claimNext(withoutOrganizations: readonly string[], lane?: 'few'): Promise<ClaimedRun | undefined> {
      const turnId = new mongoose.Types.ObjectId().toHexString();
      const organizations = withoutOrganizations.map((id) => new mongoose.Types.ObjectId(id));
      const waiting = {
        state: 'queued',
        waits_for: null,
        ...(lane && { lane }),
        ...(organizations.length > 0 ? { organization_id: { $nin: organizations } } : {}),
      };
      const set = {
        state: 'running',
        started_at: '$$NOW',
        attempts: { $add: ['$attempts', 1] },
        turn_ids: { $concatArrays: ['$turn_ids', [turnId]] },
      };
      for (;;) {
        const claim = await leases
          .claim(waiting, { milliseconds: leaseMs, sort, set })
          .catch(async (error: unknown) => {
            if (!(await endUnclaimable(waiting))) throw error;
            return 'ended' as const;
          });
        if (claim === undefined) return undefined;
        if (claim === 'ended') continue;
        const run = soundRun(claim.record, claim.token, turnId);
        if (run !== undefined) return run;
        await leases.release({ _id: claim.record._id }, claim.token, failed());
      }
    },
    /** Ends a run that was tried too often and whose outcome could not be stored. */
    async giveUp(run: ClaimedRun): Promise<void> {
      const { $set, ...rest } = failed();
      const settles = run.kind === 'auto_create' && { is_unsettled: true };
      await leases.release(running(run), run.token, { ...rest, $set: { ...$set, ...settles } });
    },
    /** Whether a run is queued, or runs elsewhere: `ownIds` are the runs of this process. */
    async hasOthers(ownIds: Iterable<string>): Promise<boolean> {
      const _id = { $nin: [...ownIds].map((id) => new mongoose.Types.ObjectId(id)) };
      return (await model.exists({ state: { $in: ['queued', 'running'] }, waits_for: null, _id })) !== null;
    },
    /** Returns false if this worker no longer holds the run. */
    async renew(run: ClaimedRun): Promise<{ isCancelRequested: boolean } | false> {
      const record = await leases.renew(running(run), run.token, leaseMs);
      return record === undefined ? false : { isCancelRequested: record.is_cancel_asked };
    },
    /** Requeues runs whose worker has died and returns their ids. Skips `ownIds`, the runs of this process. */
    async requeueOrphans(ownIds: Iterable<string>): Promise<string[]> {
      const ids = [...ownIds].map((id) => new mongoose.Types.ObjectId(id));
      const requeued: string[] = [];
      for (;;) {
        const claim = await leases.claim({ state: 'running', _id: { $nin: ids } }, { milliseconds: leaseMs });
        if (claim === undefined) return requeued;
        await leases.release({ _id: claim.record._id }, claim.token, { $set: { state: 'queued' } });
        requeued.push(claim.record._id.toHexString());
      }
    },
    /** Requeues a run as if it had not been started. */
    async release(run: ClaimedRun): Promise<void> {
      await leases.release(running(run), run.token, { $set: { state: 'queued' }, $inc: { attempts: -1 } });
    },
    /** Requeues a run, which is not claimed before another one has ended and `requeueWaiting` frees it. */
    async postpone(run: ClaimedRun, waitsFor: string): Promise<void> {
      const waits_for = new mongoose.Types.ObjectId(waitsFor);
      const requeued = { $set: { state: 'queued', waits_for }, $inc: { attempts: -1, waits: 1 } };
      await leases.release(running(run), run.token, requeued);
      // The other run might have ended between the check and this write.
      if (!(await model.exists({ _id: waits_for, ...isActive }))) await requeueWaiting(waitsFor);
    },
    /** Frees the runs that wait for this one; returns their number. */
    requeueWaiting,
    /** Frees the runs that wait for ended runs; returns their number. */
    async requeueOrphanedWaits(): Promise<number> {
      const waited = await model.distinct('waits_for', { state: 'queued', waits_for: { $ne: null } });
      const ids = waited.filter((id) => id !== null && id !== undefined);
      if (ids.length === 0) return 0;
      const active = await model.find({ _id: { $in: ids }, ...isActive }, { _id: 1 }).lean();
      const activeIds = new Set(active.map(({ _id }) => _id.toHexString()));
      let freed = 0;
      for (const id of ids) if (!activeIds.has(id.toHexString())) freed += await requeueWaiting(id.toHexString());
      return freed;
    },
    /** Marks the run as failing before its writes are undone: a later worker only continues the undo. */
    async markFailing(run: ClaimedRun, error: { code: string; message: string }): Promise<boolean> {
      return await leases.write(running(run), run.token, { $set: { error } });
    },
    /**
     * Removes turns whose writes were undone, with their pending calls, so that an undo of the run skips them and users are
     * not asked about those calls.
     */
    async forgetTurns(run: ClaimedRun, turnIds: readonly string[]): Promise<void> {
      await Promise.all(turnIds.map((id) => pendingCalls.remove({ organizationId: run.organizationId, id })));
      const held = { ...running(run), ...leases.held(run.token) };
      await model.updateOne(held, { $pull: { turn_ids: { $in: [...turnIds] } } });
    },
    async setThread(run: ClaimedRun, threadId: string): Promise<void> {
      await leases.write(running(run), run.token, { $set: { thread_id: threadId } });
      run.threadId = threadId;
    },
    /** Returns false if this worker no longer holds the run. */
    async finish(run: ClaimedRun, { state, error, proposal, log, spuUsed, parkedTurn }: RunOutcome): Promise<boolean> {
      if (state === 'waiting') {
        const waiting = {
          state,
          error: null,
          log: JSON.stringify(log),
          parked_turn: parkedTurn ?? run.turnId,
          ...(run.kind === 'auto_create' ? { is_unsettled: true } : {}),
        };
        return await leases.release(running(run), run.token, { $set: waiting, $inc: { spu_used: spuUsed } });
      }
      return await leases.release(running(run), run.token, {
        $set: {
          state,
          error,
          proposal,
          log: JSON.stringify(log),
          ended_at: new Date(),
          ...(run.kind === 'auto_create' ? { is_unsettled: true } : {}),
          // A proposal is kept as long as its document.
          ...(run.runId !== null && proposal === null ? { expires_at: expiresAt() } : {}),
        },
        $inc: { spu_used: spuUsed },
        $unset: { auto_create_of: 1, parked_turn: 1 },
      });
    },
    async ended(id: string): Promise<UnsettledRun | undefined> {
      const record = await model.findOne({ _id: new mongoose.Types.ObjectId(id) }, { log: 0 }).lean();
      return record === null ? undefined : { ...documentRunOf(record), proposal: record.proposal };
    },
    /** Without damaged ones. */
    async unsettled(limit = 50): Promise<UnsettledRun[]> {
      const records = await model.find({ is_unsettled: true, kind: 'auto_create' }, { log: 0 }).limit(limit).lean();
      return records.flatMap((record) => soundUnsettled(record) ?? []);
    },
    async settled(id: string): Promise<void> {
      await model.updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $unset: { is_unsettled: 1 } });
    },
  };
}

/** The order of the queue. */
const sort = { rank: 1, _id: 1 } as const;
const maxUnclaimable = 100;
const kinds: readonly string[] = ['auto_create', 'agent', 'extraction'] satisfies HeadlessKind[];

/** Ends a run that no worker can execute. */
const failed = () => ({
  $set: { state: 'failed', error: damaged, ended_at: new Date(), expires_at: expiresAt() },
  $unset: { auto_create_of: 1 as const, parked_turn: 1 as const },
});

const damaged = {
  code: 'internal_error',
  message: 'The run failed several times on our side, or its record is damaged. Start it again.',
};

/** Undefined if the record is damaged. */
function soundRun(record: DocumentRunRecord, token: string, turnId: string): ClaimedRun | undefined {
  try {
    return kinds.includes(record.kind) ? claimed(record, token, turnId) : undefined;
  } catch {
    return undefined;
  }
}

function soundUnsettled(record: Omit<DocumentRunRecord, 'log'>): UnsettledRun | undefined {
  try {
    return { ...documentRunOf(record), proposal: record.proposal };
  } catch {
    return undefined;
  }
}

/** A run counts as active until its document shows its outcome. */
const isActive = { $or: [{ state: { $in: ['queued', 'running'] as const } }, { is_unsettled: true }] };

function claimed(record: DocumentRunRecord, token: string, turnId: string): ClaimedRun {
  return {
    ...documentRunOf(record),
    token,
    role: record.role,
    message: record.message,
    promptId: record.prompt_id,
    replace: record.replace,
    isOfFew: record.lane === 'few',
    scheduleId: record.schedule_id?.toHexString(),
    onAsk: record.on_ask ?? 'deny',
    parkedTurn: record.parked_turn,
    autoApprovedTools: record.auto_approved_tools,
    waits: record.waits ?? 0,
    turnId,
    formerTurnIds: record.turn_ids.filter((id) => id !== turnId),
  };
}
