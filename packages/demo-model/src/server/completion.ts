import { createHash } from 'node:crypto';
import type { Answer, Token } from '../protocol/answer.ts';
import type { CompletionRequest } from '../protocol/chat-request.ts';
import { demoModelName, rulesDate, systemFingerprint } from './model-card.ts';

interface CompletionCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** An answer with the ids and counts of both response formats, streamed or not. */
export interface Completion {
  id: string;
  text: string;
  calls: CompletionCall[];
  /** The text in pieces with their probabilities; undefined when the request does not ask for them or nothing is uncertain. */
  tokens: readonly Token[] | undefined;
  finishReason: 'stop' | 'tool_calls';
  usage: Usage;
}

/** Ids come from a hash of the request, so that the same request gives the same bytes. */
export function buildCompletion(request: CompletionRequest, answer: Answer): Completion {
  const { stream: _stream, stream_options: _options, ...content } = request;
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24);
  return {
    id: `chatcmpl-${hash}`,
    text: answer.text,
    calls: answer.calls.map((call, index) => ({
      id: `call_${hash}${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
    tokens: request.logprobs === true ? answer.tokens : undefined,
    finishReason: answer.calls.length > 0 ? 'tool_calls' : 'stop',
    usage: estimateUsage(request, answer),
  };
}

/** The fields at the start of every completion and every chunk. */
export function envelope(completion: Completion, object: 'chat.completion' | 'chat.completion.chunk') {
  return {
    id: completion.id,
    object,
    created: rulesDate,
    model: demoModelName,
    system_fingerprint: systemFingerprint,
  };
}

/** The body of an answer that is not streamed. */
export function completionBody(completion: Completion): object {
  return {
    ...envelope(completion, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: completion.text === '' ? null : completion.text,
          refusal: null,
          ...(completion.calls.length > 0 ? { tool_calls: completion.calls } : {}),
        },
        logprobs: completion.tokens ? logprobsOf(completion.tokens) : null,
        finish_reason: completion.finishReason,
      },
    ],
    usage: completion.usage,
  };
}

/** Probabilities in OpenAI's format: a natural logarithm for each token. */
export function logprobsOf(tokens: readonly Token[]): object {
  return {
    content: tokens.map(({ text, probability }) => {
      const bytes = [...Buffer.from(text)];
      return { token: text, logprob: Math.log(probability), bytes, top_logprobs: [] };
    }),
    refusal: null,
  };
}

/** One token for four characters, rounded up: the usual rule of thumb for English text. */
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/**
 * Usage is estimated, because rules have no tokenizer. The prompt consists of messages, tools and response format as JSON,
 * the completion of text, names and arguments of calls.
 */
function estimateUsage(request: CompletionRequest, answer: Answer): Usage {
  const { messages, tools, response_format } = request;
  const prompt = estimateTokens(JSON.stringify({ messages, tools, response_format }));
  const calls = answer.calls.map((call) => call.name + JSON.stringify(call.arguments));
  const completion = estimateTokens(answer.text + calls.join(''));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
