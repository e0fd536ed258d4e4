import { isDatabaseUnavailable } from '../../platform/database/connection.ts';
import type { ClaimedRun, ClaimRepository } from './claim-repository.ts';
import type { RunControl } from './run-document.ts';
import { RunStop } from './run-stop.ts';

interface HeadlessWorkerDependencies {
  claims: ClaimRepository;
  runDocument: (run: ClaimedRun, control: RunControl) => Promise<boolean>;
  onBegun: (run: ClaimedRun) => Promise<void>;
  onEnded: (run: ClaimedRun) => Promise<void>;
  limits: WorkerLimits;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export interface WorkerLimits {
  /** Documents worked on at the same time in this process, and of these, of one organization. */
  runs: number;
  runsOfOrganization: number;
  /** Milliseconds between two renewals of what is held, and two looks at what others hold. */
  renewEvery: number;
  /** Milliseconds without a renewal after which a worker gives a run up: well before the lease expires. */
  giveUpAfter: number;
}

export const defaultWorkerLimits: WorkerLimits = {
  runs: 8,
  runsOfOrganization: 6,
  renewEvery: 3_000,
  giveUpAfter: 9_000,
};

/** Works on queued documents in this process, and requeues what dead workers held. */
export interface HeadlessWorker {
  start(): void;
  /** There may be something to do; does nothing in a process that runs no work. */
  wake(): void;
  /** Puts back what runs. */
  stop(): Promise<void>;
}

interface RunningEntry {
  run: ClaimedRun;
  stop: AbortController;
  /** By this process's own clock, which nobody sets. */
  renewedAt: number;
  ended: Promise<void>;
}

export function createHeadlessWorker(dependencies: HeadlessWorkerDependencies): HeadlessWorker {
  const { claims, runDocument, onBegun, onEnded, limits, log } = dependencies;
  const held = new Map<string, RunningEntry>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;

  function begin(run: ClaimedRun): void {
    const stop = new AbortController();
    const entry: RunningEntry = { run, stop, renewedAt: performance.now(), ended: Promise.resolve() };
    held.set(run.id, entry);
    const control: RunControl = { signal: stop.signal, requireHeld: () => requireHeld(entry) };
    entry.ended = work(run, control).finally(() => {
      held.delete(run.id);
      wake();
    });
  }

  async function work(run: ClaimedRun, control: RunControl): Promise<void> {
    try {
      await onBegun(run);
      if (await runDocument(run, control)) await onEnded(run);
    } catch (error) {
      // Its lease expires, and it is started again: here or elsewhere, and not for ever.
      log.error({ err: error, document_run_id: run.id }, 'a run without a person could not be ended');
    }
  }

  /** Before anything is written: a process that was held up asks whether the run is still its own. */
  async function requireHeld(entry: RunningEntry): Promise<void> {
    entry.stop.signal.throwIfAborted();
    if (performance.now() - entry.renewedAt > limits.giveUpAfter - limits.renewEvery) await renew(entry);
    entry.stop.signal.throwIfAborted();
  }

  async function renew(entry: RunningEntry): Promise<void> {
    const askedAt = performance.now();
    const answer = await claims.renew(entry.run);
    if (answer === false) entry.stop.abort(new RunStop('lost'));
    else {
      entry.renewedAt = askedAt;
      if (answer.isCancelAsked) entry.stop.abort(new RunStop('cancelled'));
    }
  }

  async function renewAll(): Promise<void> {
    for (const entry of held.values()) {
      // A run that is being ended by a stop keeps its lease until it has.
      await renew(entry).catch((error: unknown) => log.warn({ err: error }, 'a run could not be renewed'));
      if (performance.now() - entry.renewedAt > limits.giveUpAfter) entry.stop.abort(new RunStop('lost'));
    }
  }

  async function requeueOrphans(): Promise<void> {
    for (const id of await claims.requeueOrphans(held.keys())) {
      log.warn({ document_run_id: id }, 'a worker died in the middle of a run');
    }
  }

  async function claimAll(): Promise<void> {
    while (!stopping.signal.aborted && held.size < limits.runs) {
      const run = await claims.claimNext(fullOrganizations());
      if (run === undefined) return;
      begin(run);
    }
  }

  function fullOrganizations(): string[] {
    const runs = Map.groupBy(held.values(), ({ run }) => run.organizationId);
    return [...runs].flatMap(([id, entries]) => (entries.length >= limits.runsOfOrganization ? [id] : []));
  }

  function wake(): void {
    if (timer === undefined || stopping.signal.aborted) return;
    if (looking) {
      isAskedAgain = true;
      return;
    }
    looking = claimAll()
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'looking for work failed');
      })
      .finally(() => {
        looking = undefined;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        wake();
      });
  }

  let isBusy = false;
  function tick(): void {
    if (isBusy) return;
    isBusy = true;
    renewAll()
      .then(requeueOrphans)
      .then(wake)
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'looking after runs failed');
      })
      .finally(() => {
        isBusy = false;
      });
  }

  return {
    start() {
      timer ??= setInterval(tick, limits.renewEvery);
      timer.unref();
      wake();
    },
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await looking;
      const running = [...held.values()];
      for (const { stop } of running) stop.abort(new RunStop('stopping'));
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}
