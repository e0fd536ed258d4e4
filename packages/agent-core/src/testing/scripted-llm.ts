import type {
  LlmChunk,
  LlmClient,
  LlmMessage,
  LlmRequest,
  ModelToolCall,
  ReasoningBlock,
  TokenUsage,
} from '../llm/llm-client.ts';

/** A call in a script, with its arguments as a value or as the model's text. */
export type ScriptedCall = { name: string; args?: Record<string, unknown> } & Partial<ModelToolCall>;

/** The model's answer to one request. */
export type ScriptedStep =
  | {
      text?: string | readonly string[];
      thinking?: string;
      reasoning?: readonly ReasoningBlock[];
      calls?: readonly ScriptedCall[];
      finishReason?: string;
      /** The model that answers, if it differs from the requested one. */
      model?: string;
      usage?: TokenUsage;
      /** Thrown after the text. */
      error?: unknown;
      /** Awaited after the text: the model takes that long. */
      pause?: () => Promise<unknown>;
      /** Hangs after the text until the request is aborted. */
      hangs?: true;
    }
  | ((request: LlmRequest) => ScriptedStep);

export interface ScriptedLlm extends LlmClient {
  /** Copies of all requests so far. */
  readonly requests: LlmRequest[];
  /** Throws if steps are left. */
  assertFinished(): void;
}

/** A model that follows a script step by step, and throws on a request beyond the script. */
export function scriptedLlm(steps: readonly ScriptedStep[]): ScriptedLlm {
  const requests: LlmRequest[] = [];
  return {
    requests,
    assertFinished() {
      if (requests.length < steps.length) {
        throw new Error(`The model was called ${requests.length} times; its script has ${steps.length} steps.`);
      }
    },
    async *stream(request) {
      request.signal?.throwIfAborted();
      const step = steps[requests.length];
      requests.push({ ...request, messages: structuredClone(request.messages) });
      if (step === undefined) throw new Error(`The script has no step ${requests.length}.`);
      yield* play(step, request);
    },
  };
}

async function* play(step: ScriptedStep, request: LlmRequest): AsyncGenerator<readonly LlmChunk[]> {
  if (typeof step === 'function') {
    yield* play(step(request), request);
    return;
  }
  const texts = typeof step.text === 'string' ? [step.text] : (step.text ?? []);
  if (step.thinking !== undefined) yield [{ type: 'thinking_delta', text: step.thinking }];
  if (texts.length > 0) yield texts.map((text) => ({ type: 'text_delta', text }));
  await step.pause?.();
  if (step.hangs === true) await untilAborted(request.signal);
  if (step.error !== undefined) throw step.error;
  const toolCalls = (step.calls ?? []).map(({ args, ...call }) => ({ arguments: JSON.stringify(args ?? {}), ...call }));
  yield [
    {
      type: 'finish',
      answer: {
        content: texts.join(''),
        toolCalls,
        reasoning: step.reasoning ?? [],
        ...(step.model === undefined ? {} : { model: step.model }),
      },
      finishReason: step.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
      usage: step.usage ?? { prompt_tokens: 100, completion_tokens: 10, estimated: false },
    },
  ];
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The messages of a request without the system messages. */
export function historyIn(request: Pick<LlmRequest, 'messages'> | undefined): LlmMessage[] {
  return (request?.messages ?? []).filter(({ role }) => role !== 'system');
}

/** The system messages of a request, including the tail. */
export function systemIn(request: Pick<LlmRequest, 'messages'> | undefined): string {
  return (request?.messages ?? []).flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
}
