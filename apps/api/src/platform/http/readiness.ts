/** `disk`: nothing can be written. Reads are still answered, and writes are refused with `disk_full`. */
export type Part = 'database' | 'disk' | 'migrations' | 'jobs';

/** What has to be up before requests are served; `/ready` and the gate before routes ask the same object. */
export interface Readiness {
  /** Parts that are not up, empty when ready. */
  missing(): Part[];
  up(part: Part): void;
  down(part: Part): void;
}

export function createReadiness(parts: Part[]): Readiness {
  const waiting = new Set(parts);
  return {
    missing: () => [...waiting],
    up: (part) => void waiting.delete(part),
    down: (part) => void waiting.add(part),
  };
}
