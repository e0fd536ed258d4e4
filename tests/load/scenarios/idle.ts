import { setTimeout as sleep } from 'node:timers/promises';
import type { Laboratory } from '../laboratory.ts';

const seconds = 30;

/** The processor time that processes without any request take, in percent of a core. */
export async function idle(laboratory: Laboratory): Promise<Record<string, number>> {
  // What a start leaves behind is done by then.
  await sleep(10_000);
  const before = laboratory.processor();
  await sleep(seconds * 1000);
  const after = laboratory.processor();
  const shares = Object.entries(after).map(([name, ms]) => [name, percent(ms - before[name]!)] as const);
  return { ...Object.fromEntries(shares), all: shares.reduce((sum, [, share]) => sum + share, 0) };
}

const percent = (ms: number): number => Number((ms / seconds / 10).toFixed(2));
