/** Things that somebody else changes as long as they live, each with how it was seen now. */
export type Seen = Iterable<readonly [id: string, mark: string]>;

/**
 * Tells which things have not changed for `afterMs`, as this process has seen it by its own monotonic clock, which nobody
 * sets. Ask it often; what is not named is forgotten.
 */
export function createStallDetector(afterMs: number): (current: Seen) => string[] {
  let known = new Map<string, { mark: string; since: number }>();
  return (current) => {
    const now = performance.now();
    const next: typeof known = new Map();
    for (const [id, mark] of current) {
      const before = known.get(id);
      next.set(id, before?.mark === mark ? before : { mark, since: now });
    }
    known = next;
    return [...known].filter(([, { since }]) => now - since > afterMs).map(([id]) => id);
  };
}
