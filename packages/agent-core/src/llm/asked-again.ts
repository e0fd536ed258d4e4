import { DomainError } from '@docwright/contract';
import type { LlmChunk, LlmClient, LlmRequest } from './llm-client.ts';

/** Factor by which the time limits of the second request are longer. */
const secondPatience = 2;

/**
 * The answer to a request. A model that sends nothing within the time limit is asked once more, with twice the time. An
 * answer that has begun is not asked for again: its beginning may already be shown.
 */
export async function* askedAgainIfSilent(
  llm: Pick<LlmClient, 'stream'>,
  request: LlmRequest,
): AsyncIterable<readonly LlmChunk[]> {
  let hasBegun = false;
  try {
    for await (const chunks of llm.stream(request)) {
      hasBegun ||= chunks.length > 0;
      yield chunks;
    }
    return;
  } catch (error) {
    const isSilent = error instanceof DomainError && error.code === 'model_timeout' && !hasBegun;
    if (!isSilent) throw error;
    request.signal?.throwIfAborted();
  }
  yield* llm.stream({ ...request, patience: secondPatience });
}
