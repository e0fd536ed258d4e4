import type { Answer } from '../call.ts';
import type { ChatRequest } from './chat-request.ts';

/** A token for every four characters, rounded up: the usual rule of thumb for English text. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/**
 * Estimated usage, as rules have no tokenizer: four characters a token over messages, tools and response format
 * as JSON for the prompt, over text, call names and arguments for the completion.
 */
export function estimateUsage(request: ChatRequest, answer: Answer): Usage {
  const { messages, tools, response_format } = request;
  const prompt = tokensOf(JSON.stringify({ messages, tools, response_format }));
  const calls = answer.calls.map((call) => call.name + JSON.stringify(call.arguments));
  const completion = tokensOf(answer.text + calls.join(''));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
