import type { LlmClient } from '@docwright/agent-core';

/** Writes why a call failed into the log, with its cause: people are told what to do about it, not what a service answered. */
export function logFailedCalls(
  client: LlmClient,
  log: { warn(fields: object, message: string): void },
  organizationId: string,
): LlmClient {
  return {
    async *stream(request) {
      try {
        yield* client.stream(request);
      } catch (error) {
        if (request.signal?.aborted !== true) {
          log.warn({ err: error, model: request.model, organization_id: organizationId }, 'a model call failed');
        }
        throw error;
      }
    },
  };
}
