/**
 * Whether arrays and objects stand inside each other deeper than `limit` levels. Iterative,
 * so that a hostile body of a million brackets is told apart before anything recurses into it.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
    if (level.length === 0) return false;
  }
  return level.some((entry) => typeof entry === 'object' && entry !== null);
}
