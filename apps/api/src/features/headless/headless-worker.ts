import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
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
  /** The interval between renewals of own leases and checks of others'. */
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

/** Executes queued runs in this process, and requeues those of dead workers. */
export interface HeadlessWorker {
  start(): void;
  /** Polls for work; does nothing in a process without workers. */
  wake(): void;
  /** Requeues running work. */
  stop(): Promise<void>;
}

interface RunningEntry {
  run: ClaimedRun;
  stop: AbortController;
  /** By the monotonic clock. */
  renewedAt: number;
  ended: Promise<void>;
}

export function createHeadlessWorker(dependencies: HeadlessWorkerDependencies): HeadlessWorker {
  const { claims, runDocument, onStarted, onEnded, limits, log } = dependencies;
  const running = new Map<string, RunningEntry>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isPollRequested = false;

  function startRun(run: ClaimedRun): void {
    const stop = new AbortController();
    const entry: RunningEntry = { run, stop, renewedAt: performance.now(), ended: Promise.resolve() };
    running.set(run.id, entry);
    const control: RunControl = { signal: stop.signal, requireLease: () => requireLease(entry) };
    entry.ended = work(run, control).finally(() => {
      running.delete(run.id);
      wake();
    });
  }

  async function work(run: ClaimedRun, control: RunControl): Promise<void> {
    try {
      await onStarted(run);
      if (await runDocument(run, control)) await onEnded(run);
    } catch (error) {
      // Its lease expires, and the run is retried here or elsewhere, a limited number of times.
      log.error({ err: error, document_run_id: run.id }, 'a headless run could not be finished');
    }
  }

  /** Before each write, a process that was suspended checks whether it still holds the run. */
  async function requireLease(entry: RunningEntry): Promise<void> {
    entry.stop.signal.throwIfAborted();
    if (performance.now() - entry.renewedAt > limits.giveUpAfterMs - limits.renewEveryMs) await renew(entry);
    entry.stop.signal.throwIfAborted();
  }

  async function renew(entry: RunningEntry): Promise<void> {
    const askedAt = performance.now();
    const answer = await claims.renew(entry.run);
    if (answer === false) entry.stop.abort(new RunStop('lost'));
    else {
      entry.renewedAt = askedAt;
      if (answer.isCancelRequested) entry.stop.abort(new RunStop('cancelled'));
    }
  }

  async function renewAll(): Promise<void> {
    for (const entry of running.values()) {
      // A run that is being stopped keeps its lease until its end.
      await renew(entry).catch((error: unknown) => log.warn({ err: error }, 'a run could not be renewed'));
      if (performance.now() - entry.renewedAt > limits.giveUpAfterMs) entry.stop.abort(new RunStop('lost'));
    }
  }

  async function requeueOrphans(): Promise<void> {
    for (const id of await claims.requeueOrphans(running.keys())) {
      log.warn({ document_run_id: id }, 'a worker died during a run');
    }
  }

  async function claimAll(): Promise<void> {
    while (!stopping.signal.aborted && running.size < limits.runs) {
      const run = await claims.claimNext(fullOrganizations());
      if (run === undefined) return;
      startRun(run);
    }
  }

  function fullOrganizations(): string[] {
    const runs = Map.groupBy(running.values(), ({ run }) => run.organizationId);
    return [...runs].flatMap(([id, entries]) => (entries.length >= limits.runsOfOrganization ? [id] : []));
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

  let isTicking = false;
  function tick(): void {
    if (isTicking) return;
    isTicking = true;
    renewAll()
      .then(requeueOrphans)
      .then(wake)
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'renewing runs failed');
      })
      .finally(() => {
        isTicking = false;
      });
  }

  return {
    start() {
      timer ??= setInterval(tick, limits.renewEveryMs);
      timer.unref();
      wake();
    },
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await polling;
      const entries = [...running.values()];
      for (const { stop } of entries) stop.abort(new RunStop('stopping'));
      await Promise.all(entries.map(({ ended }) => ended));
    },
  };
}
