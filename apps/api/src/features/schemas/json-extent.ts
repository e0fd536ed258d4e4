interface Extent {
  /** Levels of arrays and objects inside each other. */
  depth: number;
  /** Values in all, arrays and objects among them. */
  values?: number;
}

/**
 * Whether a JSON value is nested deeper, or holds more values, than `most`. Iterative, so that a hostile body of a
 * million brackets is told apart before anything recurses into it.
 */
export function exceedsExtent(value: unknown, most: Extent): boolean {
  let level: unknown[] = [value];
  let values = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((entry) => typeof entry === 'object' && entry !== null);
    if (containers.length > 0 && depth >= most.depth) return true;
    level = containers.flatMap((container) => Object.values(container));
    values += level.length;
    if (most.values !== undefined && values > most.values) return true;
  }
  return false;
}
