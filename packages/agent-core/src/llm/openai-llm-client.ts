import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';
import type { LlmChunk, LlmClient, LlmRequest, LlmTool, TokenUsage } from './llm-client.ts';
import { toWireMessages } from './message-conversion.ts';
import { modelFailureOf } from './model-failure.ts';
import { dialectOf } from './provider-dialect.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { AnswerAccumulator, type FinishedAnswer } from './stream/answer-accumulator.ts';
import { CompletionBody } from './stream/completion-body.ts';
import { estimatedTokens } from './token-usage.ts';
import { Watchdog } from './watchdog.ts';

export interface OpenAiLlmClientOptions {
  /** Of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  /** Some servers want none. */
  readonly apiKey?: string;
  /** How long the first piece of an answer may take: a local model may have to be loaded first. */
  readonly firstByteTimeoutMs?: number;
  /** How long an answer may pause once it has begun. */
  readonly idleTimeoutMs?: number;
  /** Before the second try, the third and so on. */
  readonly retryPausesMs?: readonly number[];
  readonly fetch?: typeof fetch;
}

/**
 * A client for every service that speaks OpenAI's chat completions. The SDK makes the request; the body is read by our
 * own parser, since what such services really send breaks the SDK's. A call is tried again only while nothing of its
 * answer has been read.
 */
export function createOpenAiLlmClient(options: OpenAiLlmClientOptions): LlmClient {
  const apiKey = options.apiKey ?? '';
  const openai = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const { firstByteTimeoutMs = 120_000, idleTimeoutMs = 120_000, retryPausesMs = [500, 2000] } = options;

  async function* attempt(request: LlmRequest, attention: { caught: boolean }): AsyncGenerator<LlmChunk> {
    const watchdog = new Watchdog(request.signal, firstByteTimeoutMs);
    let body: CompletionBody | undefined;
    try {
      const wire = wireRequest(request, options.baseUrl);
      const response = await openai.chat.completions.create(wire, { signal: watchdog.signal }).asResponse();
      body = new CompletionBody(response);
      const names = new Set(request.tools?.map((tool) => tool.function.name));
      const accumulator = new AnswerAccumulator((name) => names.has(name));
      for (;;) {
        const chunks = await body.next();
        watchdog.rest();
        if (chunks === undefined) break;
        for (const chunk of chunks) {
          attention.caught = true;
          yield* accumulator.add(chunk);
        }
        watchdog.watch(idleTimeoutMs);
      }
      yield finishOf(accumulator.finish(body.done), wire);
    } catch (error) {
      throw watchdog.bark ?? error;
    } finally {
      watchdog.stop();
      await body?.close().catch(() => undefined);
    }
  }

  return {
    async *stream(request) {
      for (let tries = 1; ; tries++) {
        const attention = { caught: false };
        try {
          yield* attempt(request, attention);
          return;
        } catch (error) {
          request.signal?.throwIfAborted();
          const answering = attention.caught;
          const context = { baseUrl: options.baseUrl, apiKey, model: request.model, answering };
          const failure = modelFailureOf(error, context);
          const wait = answering ? undefined : pauseBeforeRetry(failure, tries, retryPausesMs);
          if (wait === undefined) throw failure.error;
          await pause(wait, undefined, { signal: request.signal }).catch(() => request.signal?.throwIfAborted());
        }
      }
    },
  };
}

type WireRequest = OpenAI.ChatCompletionCreateParamsStreaming;

function wireRequest(request: LlmRequest, baseUrl: string): WireRequest {
  const messages = toWireMessages(request.messages, request.model, dialectOf(baseUrl, request.model));
  return {
    model: request.model,
    messages: messages as WireRequest['messages'],
    ...(request.tools === undefined || request.tools.length === 0 ? {} : { tools: request.tools as LlmTool[] }),
    ...(request.responseFormat === undefined
      ? {}
      : { response_format: request.responseFormat as NonNullable<WireRequest['response_format']> }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function finishOf({ answer, finishReason, usage, length }: FinishedAnswer, wire: WireRequest): LlmChunk {
  const counted: TokenUsage = usage === undefined ? estimatedUsage(wire, length) : { ...usage, estimated: false };
  return { type: 'finish', answer, finishReason, usage: counted };
}

function estimatedUsage({ messages, tools }: WireRequest, length: number): TokenUsage {
  const prompt_tokens = estimatedTokens(JSON.stringify({ messages, tools }).length);
  return { prompt_tokens, completion_tokens: estimatedTokens(length), estimated: true };
}
