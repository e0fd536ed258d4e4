import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of processor time; time of other processes does not count. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * The durations of the main thread's tasks during `work`, in milliseconds of processor time, longest first. Wall-clock time
 * would depend on other processes of the machine.
 */
export async function mainThreadTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ pid, tid, ph, tdur }) => ph === 'X' && tdur !== undefined && mains.has(`${pid}/${tid}`),
  );
  return tasks.map(({ tdur = 0 }) => tdur / 1000).toSorted((one, other) => other - one);
}
