import { setTimeout as sleep } from 'node:timers/promises';
import type { Laboratory } from '../laboratory.ts';
import type { Percentiles } from '../report.ts';
import type { Seeded } from '../seed.ts';
import { looks } from './looks.ts';

export interface Measured extends Percentiles {
  /** Processor milliseconds of all processes for one request. */
  processor: number;
}

const rounds = 50;
/** A look that takes longer is measured once. */
const slowMs = 2_000;

/** Measures each look, and prints it at once: all of them at a million documents take an hour. */
export async function lists(
  laboratory: Laboratory,
  seeded: Seeded,
  { only = '' } = {},
): Promise<Record<string, Measured | string>> {
  const measured: Record<string, Measured | string> = {};
  const chosen = Object.entries(looks(seeded, laboratory.userId)).filter(([name]) => name.startsWith(only));
  // The first look at sums of many records starts a job that keeps them.
  for (const [name, route] of chosen) {
    const [begun, before] = [performance.now(), sum(laboratory.processor())];
    const failure = await laboratory.ask(route).then(() => '', textOf);
    const ms = Math.round(performance.now() - begun);
    console.log(`first ${name}: ${ms} ms, processor ${sum(laboratory.processor()) - before} ms ${failure}`);
  }
  await settled(laboratory);
  for (const [name, route] of chosen) {
    measured[name] = await measure(laboratory, route).catch(textOf);
    console.log(name, measured[name]);
  }
  return measured;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 120) : String(error));

async function measure(laboratory: Laboratory, route: string): Promise<Measured> {
  const times: number[] = [];
  const once = async () => {
    const start = performance.now();
    await laboratory.ask(route);
    return performance.now() - start;
  };
  const first = await once();
  const count = first > slowMs ? 1 : rounds;
  const before = sum(laboratory.processor());
  for (let round = 0; round < count; round += 1) times.push(await once());
  const processor = (sum(laboratory.processor()) - before) / count;
  times.sort((a, b) => a - b);
  const at = (share: number) => round1(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
  return { count, p50: at(0.5), p90: at(0.9), p99: at(0.99), processor: round1(processor) };
}

/** Resolves when the processes have done nothing for two seconds. */
async function settled(laboratory: Laboratory): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const before = sum(laboratory.processor());
    await sleep(1_000);
    quiet = sum(laboratory.processor()) - before < 100 ? quiet + 1 : 0;
  }
}

const sum = (figures: Record<string, number>): number => Object.values(figures).reduce((a, b) => a + b, 0);
const round1 = (value: number): number => Number(value.toFixed(1));
