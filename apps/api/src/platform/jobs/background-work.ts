import { AsyncLocalStorage } from 'node:async_hooks';

const work = new AsyncLocalStorage<true>();

/** Runs work that no person waits for. What it calls can ask `isInBackground`, however far away. */
export const runInBackground = <Answer>(run: () => Answer): Answer => work.run(true, run);

/** Whether this is part of work that no person waits for: of a job, or of a run of documents. */
export const isInBackground = (): boolean => work.getStore() === true;
