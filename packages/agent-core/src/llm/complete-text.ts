import type { LlmClient, LlmRequest, TokenUsage } from './llm-client.ts';

/** One model call read to its end, for callers that have no use for the pieces. Fails as `stream` does. */
export async function completeText(
  llm: LlmClient,
  request: LlmRequest,
): Promise<{ text: string; usage: TokenUsage; finishReason: string }> {
  for await (const chunk of llm.stream(request)) {
    if (chunk.type === 'finish') {
      return { text: chunk.answer.content, usage: chunk.usage, finishReason: chunk.finishReason };
    }
  }
  throw new Error('The model client ended its stream without a finish.');
}
