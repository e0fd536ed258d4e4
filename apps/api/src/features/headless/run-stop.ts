/**
 * The reason of a run's abort signal: another worker has the run, this process stops, a user cancelled it, its time is
 * up, or it waits for another run.
 */
export class RunStop extends Error {
  /** The run to wait for. */
  readonly runId: string | undefined;
  readonly reason: 'lost' | 'stopping' | 'cancelled' | 'timeout' | 'waits';

  constructor(reason: RunStop['reason'], runId?: string) {
    super(`The run ends: ${reason}.`);
    this.name = 'RunStop';
    this.reason = reason;
    this.runId = runId;
  }
}

/** The stop reason of an aborted signal; otherwise undefined. */
export function stopReasonOf(signal: AbortSignal): RunStop['reason'] | undefined {
  return signal.reason instanceof RunStop ? signal.reason.reason : undefined;
}

/** How long aborted work gets to end by itself; then it continues without the right to write. */
const abortGraceMs = 2_000;

/**
 * The promise's value, or the signal's reason if the promise does not settle within the grace period after the abort.
 */
export async function untilStopped<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), abortGraceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
