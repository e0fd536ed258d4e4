import type { FastifyRateLimitOptions, FastifyRateLimitStore } from '@fastify/rate-limit';

interface Window {
  count: number;
  begunAt: number;
}

/** Callers that are counted at once; the one that has asked for nothing for longest makes room. */
const maxCallers = 5_000;

/**
 * Counts the requests of each caller within a window of time, by a clock that nobody can set: with the wall clock set back
 * an hour, a full window would lock its caller out for that hour.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = performance.now();
    const former = this.#windows.get(key);
    const isOver = former === undefined || former.begunAt + timeWindow <= now;
    const window = isOver ? { count: 1, begunAt: now } : { ...former, count: former.count + 1 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    for (const [first] of this.#windows) {
      if (this.#windows.size <= maxCallers) break;
      this.#windows.delete(first);
    }
    callback(null, { current: window.count, ttl: Math.ceil(window.begunAt + timeWindow - now) });
  }

  child(_options: FastifyRateLimitOptions): FastifyRateLimitStore {
    return new RequestCounts();
  }
}
