import { DomainError } from '@docwright/contract';
import { BrokenAnswerError, type LlmClient } from '@docwright/agent-core';

/**
 * Uses `fallbackModel` if the requested model's provider fails before its first token. An answer that has started is
 * never restarted by another model. `onFallback` gets the reason.
 */
export function createFallbackLlmClient(
  client: LlmClient,
  fallbackModel: string,
  onFallback: (failed: { model: string; code: string }) => void,
): LlmClient {
  return {
    async *stream(request) {
      let hasStarted = false;
      try {
        for await (const chunks of client.stream(request)) {
          hasStarted = true;
          yield chunks;
        }
      } catch (error) {
        if (hasStarted || !isServiceFailure(error) || request.model === fallbackModel || request.signal?.aborted)
          throw error;
        onFallback({ model: request.model, code: error.code });
        yield* client.stream({ ...request, model: fallbackModel });
      }
    },
  };
}

/**
 * Whether the provider failed: an exhausted quota counts, an organization's exhausted budget and an interrupted answer
 * do not.
 */
function isServiceFailure(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof BrokenAnswerError) return false;
  // Another model can have a longer context.
  const codes = ['model_quota_exhausted', 'model_context_exceeded'];
  return error.kind === 'model_failed' || error.kind === 'rate_limited' || codes.includes(error.code);
}
