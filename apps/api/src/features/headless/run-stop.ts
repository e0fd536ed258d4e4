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
