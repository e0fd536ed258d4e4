/** `disk`: the disk is full. Reads are still answered; writes are refused with `disk_full`. */
export type Part = 'database' | 'disk' | 'migrations' | 'jobs';

/** The parts that must be up before requests are served. `/ready` and the gate before the routes share one object. */
export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness(parts: Part[]) {
  const down = new Set(parts);
  return {
    /** Empty when ready. */
    missing: () => [...down],
    up: (part: Part) => void down.delete(part),
    down: (part: Part) => void down.add(part),
  };
}
