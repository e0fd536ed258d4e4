import type {
  LlmChunk,
  LlmClient,
  LlmMessage,
  LlmRequest,
  ModelToolCall,
  ReasoningBlock,
  TokenUsage,
} from '../llm/llm-client.ts';

/** A call in a script: its arguments as a value, or as the text a model wrote. */
export type ScriptedCall = { name: string; args?: Record<string, unknown> } & Partial<ModelToolCall>;

/** What the model does when it is called once more. */
export type ScriptedStep =
  | {
      text?: string | readonly string[];
      thinking?: string;
      reasoning?: readonly ReasoningBlock[];
      calls?: readonly ScriptedCall[];
      finishReason?: string;
      /** The one that answers, where it is not the one that was asked. */
      model?: string;
      usage?: TokenUsage;
      /** Fails after all of the above has been said. */
      error?: unknown;
      /** Awaited after the text and before the rest: the model takes that long. */
      pause?: () => Promise<unknown>;
      /** Says all of the above and then nothing more until it is aborted. */
      hangs?: true;
    }
  | ((request: LlmRequest) => ScriptedStep);

export interface ScriptedLlm extends LlmClient {
  /** Every request so far, as it was. */
  readonly requests: LlmRequest[];
  /** Throws where steps are left over. */
  assertFinished(): void;
}

/** A model that follows a script, step by step, and fails on a call that the script does not foresee. */
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

/** What was sent between the first and the last message of a request, which are the system's. */
export function historyIn(request: Pick<LlmRequest, 'messages'> | undefined): LlmMessage[] {
  return (request?.messages ?? []).filter(({ role }) => role !== 'system');
}

/** What the model was told by the system, the tail included. */
export function systemIn(request: Pick<LlmRequest, 'messages'> | undefined): string {
  return (request?.messages ?? []).flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
}
