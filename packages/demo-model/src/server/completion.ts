import { createHash } from 'node:crypto';
import type { Answer } from '../call.ts';
import type { ChatRequest } from './chat-request.ts';
import { demoModelName, rulesDate, systemFingerprint } from './model-card.ts';
import { estimateUsage, type Usage } from './token-estimate.ts';

interface CompletionCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** An answer with the ids and counts that both response formats need. */
export interface Completion {
  id: string;
  text: string;
  calls: CompletionCall[];
  finishReason: 'stop' | 'tool_calls';
  usage: Usage;
}

/** Ids come from a hash of the request, so that the same request gives the same bytes. */
export function buildCompletion(request: ChatRequest, answer: Answer): Completion {
  const { stream: _stream, stream_options: _options, ...asked } = request;
  const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 24);
  return {
    id: `chatcmpl-${hash}`,
    text: answer.text,
    calls: answer.calls.map((call, index) => ({
      id: `call_${hash}${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
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
        logprobs: null,
        finish_reason: completion.finishReason,
      },
    ],
    usage: completion.usage,
  };
}
