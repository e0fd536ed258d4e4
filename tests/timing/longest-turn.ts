/** Milliseconds of processor time of this thread. */
export interface TurnTimes {
  /** The most between two turns of the event loop. */
  longest: number;
  /** Of the whole work, and of what ran between its turns. */
  total: number;
}

/**
 * Measures how long some work keeps the event loop from other work. Processor time, not time: other processes share the machine.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<TurnTimes> {
  const started = process.threadCpuUsage();
  let before = started;
  let longest = 0;
  let isDone = false;
  const watch = (): void => {
    longest = Math.max(longest, millisecondsSince(before));
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return { longest, total: millisecondsSince(started) };
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
