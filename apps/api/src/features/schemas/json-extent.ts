interface Extent {
  /** Levels of nested arrays and objects. */
  depth: number;
  /** The number of values, including arrays and objects. */
  values?: number;
}

/**
 * Whether a JSON value is nested deeper, or has more values, than `max`. Iterative: a hostile body of a million brackets
 * must be detected before any code recurses into it.
 */
export function exceedsExtent(value: unknown, max: Extent): boolean {
  let level: unknown[] = [value];
  let values = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((entry) => typeof entry === 'object' && entry !== null);
    if (containers.length > 0 && depth >= max.depth) return true;
    level = containers.flatMap((container) => Object.values(container));
    values += level.length;
    if (max.values !== undefined && values > max.values) return true;
  }
  return false;
}
