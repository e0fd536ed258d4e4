import { unfinishedAnswer } from './unfinished-answer.ts';
import type { AnswerToken, LlmClient, LlmRequest, TokenUsage } from './llm-client.ts';

/**
 * Makes one model call and returns the complete answer; `model` is the model that answered. Throws like `stream`, and an
 * UnfinishedAnswerError for an answer that was cut, filtered, refused or is empty.
 *
 * @example
 * import { completeText, type LlmClient } from '@docwright/agent-core';
 *
 * declare const llm: LlmClient;
 * const { text, usage } = await completeText(llm, { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] });
 */
export async function completeText(
  llm: LlmClient,
  request: LlmRequest,
): Promise<{
  text: string;
  usage: TokenUsage;
  finishReason: string;
  model: string;
  tokens?: readonly AnswerToken[];
  /** The model has seen none of the request's images. */
  imagesLeftOut?: true;
}> {
  for await (const chunks of llm.stream(request)) {
    const chunk = chunks.at(-1);
    if (chunk?.type === 'finish') {
      const failure = unfinishedAnswer(chunk, request.model);
      if (failure !== undefined) throw failure;
      const { content, model = request.model, tokens, imagesLeftOut } = chunk.answer;
      const { usage, finishReason } = chunk;
      const told = { ...(tokens && { tokens }), ...(imagesLeftOut && { imagesLeftOut }) };
      return { text: content, usage, finishReason, model, ...told };
    }
  }
  throw new Error('The model client ended its stream without a finish.');
}
