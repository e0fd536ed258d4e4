import { isDatabaseUnavailable } from '../database/connection.ts';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';

/** The lease of work that is being done. */
export interface HeldLease extends Pick<Heartbeat, 'requireHeld' | 'lose'> {
  /** Aborts when the process stops or the lease is lost. */
  readonly signal: AbortSignal;
}

interface LeasedWork<Claim> {
  /** Claims the next work; undefined if none exists. */
  claim: () => Promise<Claim | undefined>;
  /** False if the lease is lost. */
  renew: (claim: Claim) => Promise<boolean>;
  renewEveryMs: number;
  /** Requeues the work, for this or another process. */
  release: (claim: Claim) => Promise<unknown>;
  /** Does the work and ends it. Awaits `requireHeld` before each write that does not name the fencing token. */
  work: (claim: Claim, lease: HeldLease) => Promise<unknown>;
  /** Called with an error of the work itself: ends the work, or logs that the lease expires and a worker tries again. */
  fail: (claim: Claim, error: unknown) => Promise<unknown>;
  /** Called with the error of a failed renewal. */
  onFailedRenewal?: (claim: Claim, error: unknown) => void;
}

/**
 * Does one piece of queued work after the other under leases, until none is left or `signal` aborts. Any number of calls
 * and processes can do so concurrently. Work is requeued when the process stops and while the database is unreachable;
 * in the latter case the error is thrown, so that the next poll tries again. Work whose lease is lost belongs to
 * another process: it is aborted, and nothing is written for it.
 *
 * @example
 * await workUnderLeases({ claim, renew, renewEveryMs: 5_000, release, fail, work: (job, { signal }) => run(job, signal) }, stop);
 */
export async function workUnderLeases<Claim>(options: LeasedWork<Claim>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claim = await options.claim();
    if (claim === undefined) return;
    await workOn(claim, options, signal);
  }
}

async function workOn<Claim>(claim: Claim, options: LeasedWork<Claim>, stop: AbortSignal): Promise<void> {
  const { renew, renewEveryMs, release, work, fail, onFailedRenewal } = options;
  const heartbeat = startHeartbeat(() => renew(claim), renewEveryMs, {
    onFailure: (error) => onFailedRenewal?.(claim, error),
  });
  const signal = AbortSignal.any([stop, heartbeat.lost]);
  const requireHeld = async (): Promise<void> => {
    signal.throwIfAborted();
    await heartbeat.requireHeld();
  };
  try {
    await work(claim, { signal, requireHeld, lose: () => heartbeat.lose() });
  } catch (error) {
    if (heartbeat.lost.aborted) return;
    if (isDatabaseUnavailable(error)) {
      // If this fails as well, the lease expires.
      await release(claim).catch(() => undefined);
      throw error;
    }
    if (stop.aborted) await release(claim);
    else await fail(claim, error);
  } finally {
    await heartbeat.stop();
  }
}
