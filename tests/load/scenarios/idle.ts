import { setTimeout as sleep } from 'node:timers/promises';
import type { Laboratory } from '../laboratory.ts';

const seconds = 30;
/** After a start, sums are brought up to date and results are read into memory: so long at most is waited for the end of that. */
const maxUpkeepSeconds = 240;
/** Processor milliseconds of five seconds that are no upkeep. */
const quietMs = 300;

/** The processor time that processes without any request take, in percent of a core, and their database commands a second. */
export async function idle(laboratory: Laboratory): Promise<Record<string, number>> {
  const upkeep = await upkeepSeconds(laboratory);
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
    'seconds of upkeep before': upkeep,
    all: shares.reduce((sum, [, share]) => sum + share, 0),
    ...Object.fromEntries(rates),
  };
}

/** Waits until what a start leaves behind is done. Returns how long it took. */
export async function upkeepSeconds(laboratory: Laboratory): Promise<number> {
  const total = () => Object.values(laboratory.processor()).reduce((sum, ms) => sum + ms, 0);
  let waited = 0;
  for (let quiet = 0; quiet < 2 && waited < maxUpkeepSeconds; waited += 5) {
    const before = total();
    await sleep(5_000);
    quiet = total() - before < quietMs ? quiet + 1 : 0;
  }
  return waited;
}

const percent = (ms: number): number => Number((ms / seconds / 10).toFixed(2));
