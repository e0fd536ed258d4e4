import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './job-runner.ts';

/** Writes that come together wake a job once. */
const gatherMs = 50;
/** A job that is woken again and again runs at most once in this time. */
const pauseMs = 1_000;

interface WakeOptions {
  wake: (name: string) => Promise<void>;
  log: { warn(fields: object, message: string): void };
  signal: AbortSignal;
}

/**
 * Wakes each job whose work a write may have made (`wokenBy`), so that no feature has to remember to, and the sweep can be
 * rare. Returns the callback for the collection of each write.
 */
export function wakeOnWrites(jobs: readonly Job[], { wake, log, signal }: WakeOptions): (collection: string) => void {
  const requests = new Map<string, (() => void)[]>();
  for (const { name, wokenBy = [] } of jobs) {
    const request = createRequest(async () => {
      await wake(name).catch((error: unknown) => log.warn({ err: error, job: name }, 'a job was not woken'));
    }, signal);
    for (const collection of wokenBy) requests.set(collection, [...(requests.get(collection) ?? []), request]);
  }
  return (collection) => {
    for (const request of requests.get(collection) ?? []) request();
  };
}

/** Calls `wake` soon after a request, and once more after a pause if there were others since. */
function createRequest(wake: () => Promise<void>, signal: AbortSignal): () => void {
  let isRequested = false;
  let isWaking = false;
  async function wakeWhileRequested(): Promise<void> {
    while (isRequested && !signal.aborted) {
      await sleep(gatherMs, undefined, { ref: false });
      isRequested = false;
      if (signal.aborted) return;
      await wake();
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
  return () => {
    isRequested = true;
    if (isWaking) return;
    isWaking = true;
    void wakeWhileRequested().finally(() => {
      isWaking = false;
    });
  };
}
