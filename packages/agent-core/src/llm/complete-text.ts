import type { AnswerToken, LlmClient, LlmRequest, TokenUsage } from './llm-client.ts';

/** One model call read to its end, for callers that have no use for the pieces; `model` is the one that answered. Fails as `stream` does. */
export async function completeText(
  llm: LlmClient,
  request: LlmRequest,
): Promise<{
  text: string;
  usage: TokenUsage;
  finishReason: string;
  model: string;
  tokens?: readonly AnswerToken[];
}> {
  for await (const chunks of llm.stream(request)) {
    const chunk = chunks.at(-1);
    if (chunk?.type === 'finish') {
      const { content, model = request.model, tokens } = chunk.answer;
      return { text: content, usage: chunk.usage, finishReason: chunk.finishReason, model, ...(tokens && { tokens }) };
    }
  }
  throw new Error('The model client ended its stream without a finish.');
}
