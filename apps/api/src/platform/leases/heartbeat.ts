/** Renews a lease while its holder works. */
export type Heartbeat = ReturnType<typeof startHeartbeat>;

interface HeartbeatOptions {
  /** After so long without a successful renewal the lease counts as lost; by default only when a renewal says so. */
  giveUpAfterMs?: number;
  /** The reason of `lost`; by default an AbortError. */
  lostReason?: Error;
  /** Called with the error of a failed renewal. */
  onFailure?: (error: unknown) => void;
}

/**
 * Calls `renew` every `everyMs` milliseconds, one call at a time. A renewal that throws is retried at the next beat,
 * before the lease expires; one that resolves to false has lost the lease.
 *
 * @example
 * const heartbeat = startHeartbeat(async () => (await leases.renew(filter, token, 9_000)) !== undefined, 3_000);
 * try { await work(heartbeat.lost); } finally { await heartbeat.stop(); }
 */
export function startHeartbeat(
  renew: () => Promise<boolean>,
  everyMs: number,
  { giveUpAfterMs = Infinity, lostReason, onFailure = () => undefined }: HeartbeatOptions = {},
) {
  const lost = new AbortController();
  const lose = () => lost.abort(lostReason);
  // By the monotonic clock.
  let renewedAt = performance.now();
  const age = () => performance.now() - renewedAt;
  let renewing: Promise<void> | undefined;

  function beat(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renewOnce(): Promise<void> {
    const startedAt = performance.now();
    if (await renew()) renewedAt = startedAt;
    else lose();
  }

  async function beatOnTime(): Promise<void> {
    await beat().catch(onFailure);
    if (age() > giveUpAfterMs) lose();
  }

  const timer = setInterval(() => {
    if (renewing === undefined) void beatOnTime();
  }, everyMs);
  timer.unref();
  return {
    /** Aborts when the lease is lost: the holder must write nothing more. */
    lost: lost.signal,
    /** Aborts `lost`, after the database refused a write of the holder. */
    lose,
    /**
     * To be awaited before a write or a costly call: a process that was suspended renews first, to find out whether it still
     * holds the lease. Throws the reason of `lost` if it does not.
     */
    async requireHeld() {
      lost.signal.throwIfAborted();
      if (age() > everyMs * 2) await beat();
      lost.signal.throwIfAborted();
    },
    /** Stops renewing, and waits for a pending renewal. */
    async stop() {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
    },
  };
}
