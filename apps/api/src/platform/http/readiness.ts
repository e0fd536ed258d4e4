/** `disk`: the disk is full. Reads are still answered; writes are refused with `disk_full`. */
export type Part = 'database' | 'disk' | 'migrations' | 'jobs';

/** The parts that must be up before requests are served. `/ready` and the gate before the routes share one object. */
export interface Readiness {
  /** Empty when ready. */
  missing(): Part[];
  up(part: Part): void;
  down(part: Part): void;
}

export function createReadiness(parts: Part[]): Readiness {
  const down = new Set(parts);
  return {
    missing: () => [...down],
    up: (part) => void down.delete(part),
    down: (part) => void down.add(part),
  };
}
