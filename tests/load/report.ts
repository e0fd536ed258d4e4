import type { Laboratory } from './laboratory.ts';

/** What clients saw and what processes used, while a scenario ran. */
export interface Report {
  /** Runs and times one request of a kind, with its retries. */
  time<Answer>(kind: string, run: () => Promise<Answer>): Promise<Answer>;
  /** Notes that a client repeated a request, and why. */
  retried(kind: string, because: string): void;
  /** Notes what must not be. */
  problem(text: string): void;
  /** Of each kind of request so far. */
  percentiles(): Record<string, Percentiles>;
  /** Seconds and processor milliseconds of all processes since the beginning. */
  spent(): { seconds: number; processorMs: number };
  print(): void;
  readonly problems: readonly string[];
}

/** Milliseconds of clients, with their retries. */
export interface Percentiles {
  count: number;
  p50: number;
  p90: number;
  p99: number;
}

export function createReport(laboratory: Laboratory): Report {
  const begun = performance.now();
  const before = laboratory.processor();
  const times = new Map<string, number[]>();
  const retries = new Map<string, number>();
  const problems: string[] = [];
  const most: Record<string, number> = {};
  const watch = setInterval(() => {
    for (const [name, megabytes] of Object.entries(laboratory.memory())) {
      most[name] = Math.max(most[name] ?? 0, megabytes);
    }
  }, 250);
  watch.unref();

  const percentiles = (): Record<string, Percentiles> =>
    Object.fromEntries(
      [...times].map(([kind, own]) => {
        const sorted = own.toSorted((a, b) => a - b);
        const at = (share: number) =>
          Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
        return [kind, { count: own.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) }];
      }),
    );

  const secondsSince = () => (performance.now() - begun) / 1000;

  return {
    problems,
    percentiles,
    spent() {
      const after = Object.entries(laboratory.processor());
      const processorMs = after.reduce((sum, [name, ms]) => sum + ms - (before[name] ?? 0), 0);
      return { seconds: round(secondsSince()), processorMs };
    },
    async time(kind, run) {
      const start = performance.now();
      const answer = await run();
      const own = times.get(kind) ?? [];
      own.push(performance.now() - start);
      times.set(kind, own);
      return answer;
    },
    retried(kind, because) {
      const key = `${kind}: ${because}`;
      retries.set(key, (retries.get(key) ?? 0) + 1);
    },
    problem: (text) => void problems.push(text),
    print() {
      clearInterval(watch);
      const seconds = secondsSince();
      const after = laboratory.processor();
      const kinds = Object.entries(percentiles()).map(([kind, { count, ...rest }]) => [
        kind,
        { count, 'a second': round(count / seconds), ...rest },
      ]);
      const processes = Object.entries(after).map(([name, ms]) => {
        const spent = ms - (before[name] ?? 0);
        return [name, { 'processor s': round(spent / 1000), 'MB at most': most[name] ?? 0 }] as const;
      });
      console.log(`${round(seconds)} s; milliseconds of clients with their retries:`);
      console.table(Object.fromEntries(kinds));
      console.table(Object.fromEntries(processes));
      if (retries.size > 0) console.table(Object.fromEntries(retries));
      for (const problem of problems) console.error(`PROBLEM: ${problem}`);
    },
  };
}

const round = (value: number): number => Number(value.toFixed(1));
