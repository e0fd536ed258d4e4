/**
 * Why a run ends before it is done: another worker has it, this process stops, a person stopped it, or its time is up.
 * The reason of the signal that the run is aborted with.
 */
export class RunStop extends Error {
  readonly why: 'lost' | 'stopping' | 'cancelled' | 'timeout';

  constructor(why: RunStop['why']) {
    super(`The run ends: ${why}.`);
    this.name = 'RunStop';
    this.why = why;
  }
}

/** Why a signal was aborted; undefined while it is not. */
export function whyStopped(signal: AbortSignal): RunStop['why'] | undefined {
  return signal.reason instanceof RunStop ? signal.reason.why : undefined;
}
