/** Renews a lease while its holder works. */
export interface Heartbeat {
  /** Aborts when the lease is lost: the holder must write nothing more. */
  readonly lost: AbortSignal;
  /** Stops renewing, and waits for a pending renewal. */
  stop(): Promise<void>;
}

/**
 * Calls `renew` every `everyMs` milliseconds, one call at a time. A renewal that throws is retried at the next beat,
 * before the lease expires; one that resolves to false has lost the lease.
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
