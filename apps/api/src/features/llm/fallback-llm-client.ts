import { DomainError } from '@docwright/contract';
import { BrokenAnswerError, type LlmClient } from '@docwright/agent-core';

/**
 * Asks `fallbackModel` when the service of the requested one fails before its first token; what
 * has begun to arrive is never begun again by another model. `onFallback` is told the reason.
 */
export function createFallbackLlmClient(
  client: LlmClient,
  fallbackModel: string,
  onFallback: (failed: { model: string; code: string }) => void,
): LlmClient {
  return {
    async *stream(request) {
      let begun = false;
      try {
        for await (const chunks of client.stream(request)) {
          begun = true;
          yield chunks;
        }
      } catch (error) {
        if (begun || !isServiceFailure(error) || request.model === fallbackModel || request.signal?.aborted)
          throw error;
        onFallback({ model: request.model, code: error.code });
        yield* client.stream({ ...request, model: fallbackModel });
      }
    },
  };
}

/** A service without money left is one; an organization without budget is not, and nor is an answer that broke off. */
function isServiceFailure(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof BrokenAnswerError) return false;
  return error.kind === 'model_failed' || error.kind === 'rate_limited' || error.code === 'model_quota_exhausted';
}
