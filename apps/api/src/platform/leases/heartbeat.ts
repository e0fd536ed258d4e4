/** Renews a lease for as long as its holder works. */
export interface Heartbeat {
  /** Aborts when the lease is lost: the holder writes nothing more. */
  readonly lost: AbortSignal;
  /** Stops renewing, and waits for a renewal that is under way. */
  stop(): Promise<void>;
}

/**
 * Calls `renew` every `everyMs` milliseconds, one call at a time. A renewal that fails is tried again with the next beat, since the
 * lease has not expired yet; one that answers false has lost the lease.
 *
 * @example
 * const heartbeat = startHeartbeat(async () => (await leases.renew(which, token, 9_000)) !== undefined, 3_000);
 * try { await work(heartbeat.lost); } finally { await heartbeat.stop(); }
 */
export function startHeartbeat(renew: () => Promise<boolean>, everyMs: number): Heartbeat {
  const lost = new AbortController();
  let renewing: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    if (!(await renew())) lost.abort();
  };
  const timer = setInterval(() => {
    renewing ??= beat()
      .catch(() => undefined)
      .finally(() => {
        renewing = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    lost: lost.signal,
    async stop() {
      clearInterval(timer);
      await renewing;
    },
  };
}
