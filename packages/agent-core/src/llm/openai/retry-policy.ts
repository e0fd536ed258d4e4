import type { ModelFailure } from '../model-failure.ts';

/** A service that wants to be left alone for longer is not waited for: the person is told instead. */
const longestWaitMs = 30_000;

/**
 * How long to wait before the next try, in milliseconds; undefined where there shall be none. The service's own
 * Retry-After counts before our growing pauses, whose number is the number of repeats. The SDK's retries are not used:
 * they end with the response's head, so that a 429 said in the stream, or a connection lost before the first chunk, would
 * not be tried again, and a timeout would be.
 */
export function pauseBeforeRetry(
  failure: ModelFailure,
  tries: number,
  pausesMs: readonly number[],
): number | undefined {
  const pause = pausesMs[tries - 1];
  if (!failure.retryable || pause === undefined) return undefined;
  if (failure.retryAfterMs === undefined) return pause;
  return failure.retryAfterMs > longestWaitMs ? undefined : failure.retryAfterMs;
}
