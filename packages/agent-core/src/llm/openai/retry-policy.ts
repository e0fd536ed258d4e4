import type { ModelFailure } from '../model-failure.ts';

/** If a service requests a longer wait, the call fails instead. */
const maxWaitMs = 30_000;

/**
 * The pause before the next try in milliseconds; undefined for no retry. The service's Retry-After takes precedence over
 * `pausesMs`, whose length is the maximum number of retries.
 *
 * The SDK's own retries end with the response's headers: they would not repeat a 429 in the stream or a connection that is
 * lost before the first chunk, and they would repeat a timeout.
 */
export function pauseBeforeRetry(
  failure: ModelFailure,
  tries: number,
  pausesMs: readonly number[],
): number | undefined {
  const pause = pausesMs[tries - 1];
  if (!failure.retryable || pause === undefined) return undefined;
  if (failure.retryAfterMs === undefined) return pause;
  return failure.retryAfterMs > maxWaitMs ? undefined : failure.retryAfterMs;
}
