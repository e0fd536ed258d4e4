import { traced } from '@docwright/agent-core';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import { runInBackground } from '../../platform/jobs/background-work.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { ClaimedRun, ClaimRepository } from './claim-repository.ts';
import type { RunControl } from './run-document.ts';
import { RunStop } from './run-stop.ts';

interface HeadlessWorkerDependencies {
  claims: ClaimRepository;
  runDocument: (run: ClaimedRun, control: RunControl) => Promise<boolean>;
  onStarted: (run: ClaimedRun) => Promise<void>;
  onEnded: (run: ClaimedRun) => Promise<void>;
  limits: WorkerLimits;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface WorkerLimits {
  /** Maximum concurrent runs in this process, and per organization. */
  runs: number;
  runsOfOrganization: number;
  /** The interval between renewals of a lease. The runs of dead workers are looked for half as often. */
  renewEveryMs: number;
  /** How long without a renewal until a worker gives up a run: well before the lease expires. */
  giveUpAfterMs: number;
}

export const defaultWorkerLimits: WorkerLimits = {
  runs: 8,
  runsOfOrganization: 6,
  renewEveryMs: 3_000,
  giveUpAfterMs: 9_000,
};

/** More than a run has whose outcome can be stored, also one that was decided. */
const maxAttempts = 25;

const allButOne = (limit: number): number => Math.max(1, limit - 1);

/** Executes queued runs in this process, and requeues those of dead workers. */
export type HeadlessWorker = ReturnType<typeof createHeadlessWorker>;

interface ActiveRun {
  run: ClaimedRun;
  stop: AbortController;
  ended: Promise<void>;
}

export function createHeadlessWorker(dependencies: HeadlessWorkerDependencies) {
  const { claims, runDocument, onStarted, onEnded, limits, log } = dependencies;
  const active = new Map<string, ActiveRun>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isPollRequested = false;

  function startRun(run: ClaimedRun): void {
    const stop = new AbortController();
    // A trace of its own: what queued the run has ended.
    const step = { name: 'job document-run', attributes: { 'docwright.job': 'document-run' }, root: true };
    const ended = traced(step, () => runInBackground(() => workUnderLease(run, stop))).finally(() => {
      active.delete(run.id);
      wake();
    });
    active.set(run.id, { run, stop, ended });
  }

  /** A run that is being stopped keeps its lease until its end. */
  async function workUnderLease(run: ClaimedRun, stop: AbortController): Promise<void> {
    const renew = async () => {
      const renewed = await claims.renew(run);
      if (renewed !== false && renewed.isCancelRequested) stop.abort(new RunStop('cancelled'));
      return renewed !== false;
    };
    const heartbeat = startHeartbeat(renew, limits.renewEveryMs, {
      giveUpAfterMs: limits.giveUpAfterMs,
      lostReason: new RunStop('lost'),
      onFailure: (error) => log.warn({ err: error }, 'a run could not be renewed'),
    });
    const signal = AbortSignal.any([stop.signal, heartbeat.lost]);
    const requireLease = async () => {
      signal.throwIfAborted();
      await heartbeat.requireHeld();
      signal.throwIfAborted();
    };
    try {
      await onStarted(run);
      if (await runDocument(run, { signal, requireLease })) await onEnded(run);
    } catch (error) {
      // Its lease expires, and the run is retried here or elsewhere, a limited number of times.
      log.error({ err: error, document_run_id: run.id }, 'a headless run could not be finished');
      if (run.attempts > maxAttempts && !isDatabaseUnavailable(error)) {
        await claims.giveUp(run).catch((failure: unknown) => log.warn({ err: failure }, 'a run could not be given up'));
      }
    } finally {
      await heartbeat.stop();
    }
  }

  /** Most polls find nothing, in one command. */
  async function takeOthers(): Promise<void> {
    if (!(await claims.hasOthers(active.keys()))) return;
    await requeueOrphans();
    wake();
  }

  async function requeueOrphans(): Promise<void> {
    for (const id of await claims.requeueOrphans(active.keys())) {
      log.warn({ document_run_id: id }, 'a worker died during a run');
    }
  }

  async function claimAll(): Promise<void> {
    while (!stopping.signal.aborted && active.size < limits.runs) {
      const run = (await claims.claimNext(fullOrganizations(active.values()), 'few')) ?? (await claimOther());
      if (run === undefined) return;
      startRun(run);
    }
  }

  /** Work that comes in large numbers leaves a place of the process, and of its organization, to what users wait for. */
  async function claimOther(): Promise<ClaimedRun | undefined> {
    const others = [...active.values()].filter(({ run }) => !run.isOfFew);
    if (others.length >= allButOne(limits.runs)) return undefined;
    const full = [...fullOrganizations(active.values()), ...fullOrganizations(others, allButOne)];
    return await claims.claimNext([...new Set(full)]);
  }

  function fullOrganizations(runs: Iterable<ActiveRun>, share = (limit: number) => limit): string[] {
    const byOrganization = Map.groupBy(runs, ({ run }) => run.organizationId);
    return [...byOrganization].flatMap(([id, ofOrganization]) =>
      ofOrganization.length >= share(limits.runsOfOrganization) ? [id] : [],
    );
  }

  function wake(): void {
    if (timer === undefined || stopping.signal.aborted) return;
    if (polling) {
      isPollRequested = true;
      return;
    }
    polling = claimAll()
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'polling for work failed');
      })
      .finally(() => {
        polling = undefined;
        if (!isPollRequested) return;
        isPollRequested = false;
        wake();
      });
  }

  let isRequeueing = false;
  function pollOrphans(): void {
    if (isRequeueing) return;
    isRequeueing = true;
    takeOthers()
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'requeueing the runs of dead workers failed');
      })
      .finally(() => {
        isRequeueing = false;
      });
  }

  return {
    start(): void {
      timer ??= setInterval(pollOrphans, limits.renewEveryMs * 2);
      timer.unref();
      wake();
    },
    /** Polls for work; does nothing in a process without workers. */
    wake,
    /** Requeues running work. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await polling;
      const runs = [...active.values()];
      for (const { stop } of runs) stop.abort(new RunStop('stopping'));
      await Promise.all(runs.map(({ ended }) => ended));
    },
  };
}
