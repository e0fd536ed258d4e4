import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderKind, RefusedPart, RequestPart } from '@docwright/contract';
import { completionRequest } from './completion-request.ts';
import { countedCharacters } from '../image-part.ts';
import type { LlmChunk, LlmClient, LlmRequest, ModelAnswer, ModelDialect, TokenUsage } from '../llm-client.ts';
import { SilenceError } from '../model-errors.ts';
import { BrokenAnswerError, modelFailureOf, settingsLabels, type EndpointLabels } from '../model-failure.ts';
import { hasImages, refusedPartOf, rememberedRefusal } from './refused-feature.ts';
import type { OpenAiConnectionOptions, PostCompletion } from './connection.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { AnswerAccumulator, type FinishedAnswer } from '../stream/answer-accumulator.ts';
import { CompletionBody } from '../stream/completion-body.ts';
import type { CompletionChunk } from '../stream/completion-chunk.ts';
import { writtenCalls } from '../written-calls.ts';
import { estimatedTokens } from '../token-usage.ts';

/** The settings of a model client. Times are in milliseconds. */
export interface OpenAiLlmClientOptions extends OpenAiConnectionOptions {
  /** Derived from the address and the model's name by default. */
  readonly kind?: ProviderKind;
  /** The names of the endpoint's settings in errors; the operator's settings by default. */
  readonly labels?: EndpointLabels;
  /** It is unknown whether the models accept images: a failed request with images is repeated without them. */
  readonly probesImages?: boolean;
  /** Called once for each model whose endpoint refuses images. */
  readonly onImagesRefused?: (model: string) => void;
  /** Time limit for the first piece of an answer. Long, because a local model might have to be loaded first. */
  readonly firstByteTimeoutMs?: number;
  /** Time limit for each later piece. */
  readonly idleTimeoutMs?: number;
  /** The pauses before the second try, the third and so on. */
  readonly retryPausesMs?: readonly number[];
}

/**
 * A client for services with OpenAI's chat completions API. The SDK makes the request, but our own parser reads the body:
 * the deviations of compatible services break the SDK's parser. A call is retried only before the answer starts.
 *
 * @example
 * import { completeText, createOpenAiLlmClient } from '@docwright/agent-core';
 *
 * const llm = createOpenAiLlmClient({ baseUrl: 'http://localhost:4000/v1', apiKey: 'sk-…' });
 * const { text } = await completeText(llm, { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] });
 */
export function createOpenAiLlmClient(options: OpenAiLlmClientOptions): LlmClient {
  const apiKey = options.apiKey ?? '';
  let connection: Promise<PostCompletion> | undefined;
  const { firstByteTimeoutMs = 120_000, idleTimeoutMs = 120_000, retryPausesMs = [500, 2000] } = options;

  const failureOf = (error: unknown, { model }: LlmRequest, answering: boolean) =>
    modelFailureOf(error, {
      labels: options.labels ?? settingsLabels,
      baseUrl: options.baseUrl,
      apiKey,
      model,
      answering,
    });

  /** Makes one attempt, up to the first chunks of the answer. */
  async function startAnswer(request: LlmRequest, json: string): Promise<StartedAnswer> {
    const post = await (connection ??= connect(options));
    const { patience = 1 } = request;
    const watchdog = new Watchdog(request.signal, firstByteTimeoutMs * patience);
    let body: CompletionBody | undefined;
    try {
      body = new CompletionBody(await post(json, watchdog.signal));
      for (;;) {
        const chunks = await body.next();
        watchdog.rest();
        if (chunks === undefined || chunks.length > 0) return { body, watchdog, chunks };
        watchdog.watch(idleTimeoutMs * patience);
      }
    } catch (error) {
      await release(watchdog, body);
      throw watchdog.silence ?? error;
    }
  }

  /** What each model's endpoint has refused, for requests that bring no memory of their own. */
  const ownDialects = new Map<string, ModelDialect>();

  function dialectOfRequest({ dialect, model }: LlmRequest): ModelDialect {
    if (dialect !== undefined) return dialect;
    const known = ownDialects.get(model) ?? memoryInProcess();
    ownDialects.set(model, known);
    return known;
  }

  /** Models that are known to accept or refuse images. */
  const probedModels = new Set<string>();

  /** @param isOfRequest the images of this request alone were refused */
  function noteImages(request: LlmRequest, isOfRequest: boolean, areRefused: boolean): void {
    if (!hasImages(request) || isOfRequest || probedModels.has(request.model)) return;
    probedModels.add(request.model);
    if (areRefused) options.onImagesRefused?.(request.model);
  }

  /** The request without what its endpoint refuses; each refusal costs one more try, and is remembered after a success. */
  async function startWithRetries(request: LlmRequest): Promise<StartedAnswer & { sent: number; leftOut: boolean }> {
    const { baseUrl, kind } = options;
    const dialect = dialectOfRequest(request);
    const learned = new Map<RequestPart, Omit<RefusedPart, 'model' | 'at'> | undefined>();
    for (let tries = 1; ; tries++) {
      const refused = new Set([...dialect.refused, ...learned.keys()]);
      try {
        const json = completionRequest(request, baseUrl, kind, refused);
        const started = await startAnswer(request, json);
        const remembered = [...learned.values()].filter((part) => part !== undefined);
        if (remembered.length > 0) dialect.remember(remembered);
        noteImages(request, learned.has('images') && learned.get('images') === undefined, refused.has('images'));
        const leftOut = refused.has('images') && hasImages(request);
        return { ...started, sent: countedCharacters(request.messages, json), leftOut };
      } catch (error) {
        request.signal?.throwIfAborted();
        const isProbing = options.probesImages === true && !probedModels.has(request.model);
        const part = refusedPartOf(error, { request, baseUrl, kind, refused, isProbing });
        if (part !== undefined) {
          learned.set(part, rememberedRefusal(part, error, request, apiKey));
          tries--;
          continue;
        }
        // The request fails without images too: the images were not the reason.
        if (isProbing) learned.delete('images');
        const failure = failureOf(error, request, false);
        const wait = pauseBeforeRetry(failure, tries, retryPausesMs);
        if (wait === undefined) throw failure.error;
        await pause(wait, undefined, { signal: request.signal }).catch(() => request.signal?.throwIfAborted());
      }
    }
  }

  return {
    async *stream(request) {
      const { body, watchdog, chunks: first, sent, leftOut } = await startWithRetries(request);
      const names = new Set(request.tools?.map((tool) => tool.function.name));
      const accumulator = new AnswerAccumulator((name) => names.has(name));
      try {
        for (let chunks = first; chunks !== undefined; chunks = await body.next(accumulator.length)) {
          watchdog.rest();
          const deltas = accumulator.addAll(chunks);
          if (deltas.length > 0) yield deltas;
          watchdog.watch(idleTimeoutMs * (request.patience ?? 1));
        }
        watchdog.rest();
        const held = accumulator.flush();
        const finished = withWrittenCalls(accumulator.finish(body.done), names);
        yield [
          ...held,
          finishOf(finished, { model: request.model, ...(leftOut && { imagesLeftOut: true as const }) }, sent),
        ];
      } catch (error) {
        request.signal?.throwIfAborted();
        const failure = failureOf(watchdog.silence ?? error, request, true).error;
        throw accumulator.isEmpty ? failure : new BrokenAnswerError(failure, usageOf(accumulator, sent));
      } finally {
        await release(watchdog, body);
      }
    },
  };
}

function memoryInProcess(): ModelDialect {
  const refused = new Set<RequestPart>();
  return { refused, remember: (parts) => parts.forEach((part) => refused.add(part.refused)) };
}

/** An answer whose first chunks have been read; `chunks` is undefined if it is empty. */
interface StartedAnswer {
  readonly body: CompletionBody;
  readonly watchdog: Watchdog;
  readonly chunks: CompletionChunk[] | undefined;
}

/** Loads the SDK with the first request: it is large, and the server starts faster without it. */
async function connect(options: OpenAiConnectionOptions): Promise<PostCompletion> {
  const { connectOpenAi } = await import('./connection.ts');
  return connectOpenAi(options);
}

/** Stops the watchdog and closes the body. An error means that the body is already closed. */
async function release(watchdog: Watchdog, body: CompletionBody | undefined): Promise<void> {
  watchdog.stop();
  await body?.close().catch(() => undefined);
}

/** Calls that the model wrote as text become calls, if it was given tools and made no others. */
function withWrittenCalls(finished: FinishedAnswer, names: ReadonlySet<string>): FinishedAnswer {
  const { answer } = finished;
  if (names.size === 0 || answer.toolCalls.length > 0) return finished;
  const written = writtenCalls(answer.content, (name) => names.has(name));
  if (written === undefined) return finished;
  const { tokens: _, ...rest } = answer;
  return { ...finished, answer: { ...rest, content: written.text, toolCalls: written.toolCalls } };
}

function finishOf(
  finished: FinishedAnswer,
  known: Pick<ModelAnswer, 'model' | 'imagesLeftOut'>,
  sent: number,
): LlmChunk {
  const { answer, finishReason } = finished;
  return { type: 'finish', answer: { ...answer, ...known }, finishReason, usage: usageOf(finished, sent) };
}

function usageOf({ usage, length }: Pick<FinishedAnswer, 'usage' | 'length'>, sent: number): TokenUsage {
  return usage === undefined
    ? { prompt_tokens: estimatedTokens(sent), completion_tokens: estimatedTokens(length), estimated: true }
    : { ...usage, estimated: false };
}

/** Aborts a request that sends nothing for too long, or whose caller aborts. */
class Watchdog {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = () => this.#controller.abort(this.#caller?.reason);
  #timer: NodeJS.Timeout;
  #waitMs: number;
  #waiting = true;
  /** Set after a timeout. */
  silence: SilenceError | undefined;

  constructor(caller: AbortSignal | undefined, waitMs: number) {
    caller?.throwIfAborted();
    this.#caller = caller;
    this.#waitMs = waitMs;
    this.#timer = this.#start();
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the timer: the client waits for data. */
  watch(waitMs: number): void {
    this.#waiting = true;
    if (waitMs === this.#waitMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#waitMs = waitMs;
    this.#timer = this.#start();
  }

  /** Suspends the timer: data has arrived, and its processing time does not count. */
  rest(): void {
    this.#waiting = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      if (!this.#waiting) return;
      this.silence = new SilenceError(this.#waitMs);
      this.#controller.abort(this.silence);
    }, this.#waitMs);
  }
}
