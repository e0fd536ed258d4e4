/**
 * Why a run ends before it is done: another worker has it, this process stops, a person stopped it, its time is up, or it
 * waits for another run.
 * The reason of the signal that the run is aborted with.
 */
export class RunStop extends Error {
  /** The run that is waited for. */
  readonly runId: string | undefined;
  readonly why: 'lost' | 'stopping' | 'cancelled' | 'timeout' | 'waits';

  constructor(why: RunStop['why'], runId?: string) {
    super(`The run ends: ${why}.`);
    this.name = 'RunStop';
    this.why = why;
    this.runId = runId;
  }
}

/** Why a signal was aborted; undefined while it is not. */
export function whyStopped(signal: AbortSignal): RunStop['why'] | undefined {
  return signal.reason instanceof RunStop ? signal.reason.why : undefined;
}
