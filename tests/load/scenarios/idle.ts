import { setTimeout as sleep } from 'node:timers/promises';
import type { Laboratory } from '../laboratory.ts';

const seconds = 30;

/** The processor time that processes without any request take, in percent of a core, and their database commands a second. */
export async function idle(laboratory: Laboratory): Promise<Record<string, number>> {
  // What a start leaves behind is done by then.
  await sleep(10_000);
  const before = laboratory.processor();
  const commandsBefore = await laboratory.commands();
  await sleep(seconds * 1000);
  const commandsAfter = await laboratory.commands();
  const after = laboratory.processor();
  const rates = Object.entries(commandsAfter).map(([name, count]) => [
    `${name}/s`,
    Number(((count - (commandsBefore[name] ?? 0)) / seconds).toFixed(2)),
  ]);
  const shares = Object.entries(after).map(([name, ms]) => [name, percent(ms - before[name]!)] as const);
  return {
    ...Object.fromEntries(shares),
    all: shares.reduce((sum, [, share]) => sum + share, 0),
    ...Object.fromEntries(rates),
  };
}

const percent = (ms: number): number => Number((ms / seconds / 10).toFixed(2));
