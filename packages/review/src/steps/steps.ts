/** Work in steps, between which other work of the process can have its turn. */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Entries that are processed in one step. */
const entriesOfStep = 200;

/**
 * Does all steps at once, without a turn for other work.
 *
 * @example
 * ```ts
 * import { expectedSteps, finish, PageLabels } from '@docwright/review';
 *
 * finish(expectedSteps({ total: null }, new PageLabels('Total  12.50'))); // { total: 1 }
 * ```
 */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Processes entries, with a step after some of them.
 *
 * @example
 * import { eachInSteps } from '@docwright/review';
 * const paths = new Set<string>();
 * for (const _ of eachInSteps(['total', 'currency'], (path) => void paths.add(path))) await Promise.resolve();
 */
export function* eachInSteps<Entry>(entries: Iterable<Entry>, process: (entry: Entry) => void): Steps<void> {
  let count = 0;
  for (const entry of entries) {
    process(entry);
    count += 1;
    if (count % entriesOfStep === 0) yield;
  }
}
