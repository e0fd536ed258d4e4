import { AsyncLocalStorage } from 'node:async_hooks';

/** Work that no person waits for. */
export interface BackgroundWork {
  /** Whether its results are few, so that a user may wait for them all the same. Default: false. */
  readonly isOfFew?: boolean;
  /** Waits for a permit. The time is not counted as time of the work. */
  readonly whileWaiting?: <Answer>(wait: () => Promise<Answer>) => Promise<Answer>;
  /** Runs the work once more after some time, for what failed and is to be tried again. */
  readonly againIn?: (ms: number) => void;
}

const current = new AsyncLocalStorage<BackgroundWork>();

/** Runs work that no person waits for. What it calls can ask `backgroundWork`, however far away. */
export const runInBackground = <Answer>(run: () => Answer, work: BackgroundWork = {}): Answer => current.run(work, run);

/** The work that this is part of: of a job, or of a run of documents. Undefined if a person waits for it. */
export const backgroundWork = (): BackgroundWork | undefined => current.getStore();
