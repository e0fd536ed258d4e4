import { DomainError } from '@docwright/contract';
import type { LlmChunk, LlmClient } from '../llm/llm-client.ts';

/** How many times as long as usual the second answer may let itself be waited for. */
const patience = 2;

/**
 * A client whose calls are made once more, with more time, where the model fell silent. Nobody reads along with a
 * sub-agent, so that an answer is handed on once it is whole, and one that broke off leaves nothing behind.
 */
export function askedOnceMore(llm: LlmClient): LlmClient {
  return {
    async *stream(request) {
      let answer: LlmChunk[];
      try {
        answer = await whole(llm.stream(request));
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'model_timeout') throw error;
        request.signal?.throwIfAborted();
        answer = await whole(llm.stream({ ...request, patience }));
      }
      yield answer;
    },
  };
}

async function whole(chunks: AsyncIterable<readonly LlmChunk[]>): Promise<LlmChunk[]> {
  const read: LlmChunk[] = [];
  for await (const some of chunks) read.push(...some);
  return read;
}
