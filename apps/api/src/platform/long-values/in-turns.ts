import { eachInSteps, finish, type Steps } from '@docwright/review';

export { eachInSteps, finish, type Steps };

/** Processor time between two turns of other work, in milliseconds. A longer one would delay it noticeably. */
const sliceMs = 8;

/**
 * Runs steps until they are done, with turns for other work of the process between them. Of several long works at once, one
 * has a slice in each turn.
 *
 * @example await inTurns(reviewSteps(input))
 */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    // Also before the first step: works that follow each other share the slice of a turn.
    if (performance.now() - (sliceStarted ?? startSlice()) >= sliceMs) {
      await nextTurn();
      startSlice();
    }
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** When the first long work of this turn of the event loop began. */
let sliceStarted: number | undefined;
/** The real one: with that of a test that sets the clock, a slice would never end. */
const inNextTurn = setImmediate;

function startSlice(): number {
  const started = performance.now();
  sliceStarted = started;
  inNextTurn(() => {
    if (sliceStarted === started) sliceStarted = undefined;
  });
  return started;
}

/**
 * The record of paths and their values, of those entries that have one.
 *
 * @param pathsOf The paths. Those of a long record are a step of their own.
 *
 * @example await inTurns(recordInSteps(() => Object.keys(places), (path) => places[path]?.raw))
 */
export function* recordInSteps<Value>(
  pathsOf: () => Iterable<string>,
  valueOf: (path: string) => Value | undefined,
): Steps<Record<string, Value>> {
  const record: Record<string, Value> = {};
  const paths = pathsOf();
  yield;
  yield* eachInSteps(paths, (path) => {
    const value = valueOf(path);
    if (value !== undefined) record[path] = value;
  });
  return record;
}

/** Processes the members of a record by their paths. Those of a long record are a step of their own. */
export function* eachOfRecord(record: object, process: (path: string) => void): Steps<void> {
  const paths = Object.keys(record);
  yield;
  yield* eachInSteps(paths, process);
}

const waiting: (() => void)[] = [];

/** Resolves when other work of the process, and long works that wait longer, had their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  // The first stays in the list while it is resumed, so that nothing else plans another turn.
  waiting[0]!();
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) resumeOne();
  });
}
