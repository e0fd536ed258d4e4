import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderKind } from '@docwright/contract';
import { completionRequest, type OptionalFeature } from './completion-request.ts';
import { countedCharacters } from '../image-part.ts';
import type { LlmChunk, LlmClient, LlmRequest, TokenUsage } from '../llm-client.ts';
import { StatusError, SilenceError } from '../model-errors.ts';
import { BrokenAnswerError, modelFailureOf, settingsLabels, type EndpointLabels } from '../model-failure.ts';
import type { OpenAiConnectionOptions, PostCompletion } from './connection.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { AnswerAccumulator, type FinishedAnswer } from '../stream/answer-accumulator.ts';
import { CompletionBody } from '../stream/completion-body.ts';
import type { CompletionChunk } from '../stream/completion-chunk.ts';
import { estimatedTokens } from '../token-usage.ts';

export interface OpenAiLlmClientOptions extends OpenAiConnectionOptions {
  /** Unset: told from the address and each model's name. */
  readonly kind?: ProviderKind;
  /** How failures name the endpoint and its cure; the operator's settings where unset. */
  readonly words?: EndpointLabels;
  /** Nobody said whether the models see: whatever is refused with an image is asked for once more without. */
  readonly probesImages?: boolean;
  /** Told once a model's endpoint has refused images. */
  readonly onImagesRefused?: (model: string) => void;
  /** How long the first piece of an answer may take: a local model may have to be loaded first. */
  readonly firstByteTimeoutMs?: number;
  /** How long an answer may pause once it has begun. */
  readonly idleTimeoutMs?: number;
  /** Before the second try, the third and so on. */
  readonly retryPausesMs?: readonly number[];
}

/**
 * A client for every service that speaks OpenAI's chat completions. The SDK makes the request; the body is read by our
 * own parser, since what such services really send breaks the SDK's. A call is tried again only while nothing of its
 * answer has been read.
 */
export function createOpenAiLlmClient(options: OpenAiLlmClientOptions): LlmClient {
  const apiKey = options.apiKey ?? '';
  let connection: Promise<PostCompletion> | undefined;
  const { firstByteTimeoutMs = 120_000, idleTimeoutMs = 120_000, retryPausesMs = [500, 2000] } = options;

  const failureOf = (error: unknown, { model }: LlmRequest, answering: boolean) =>
    modelFailureOf(error, {
      words: options.words ?? settingsLabels,
      baseUrl: options.baseUrl,
      apiKey,
      model,
      answering,
    });

  /** One try, up to the first chunks of the answer. */
  async function begin(request: LlmRequest, json: string): Promise<BegunAnswer> {
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
      throw watchdog.bark ?? error;
    }
  }

  /** By model, what its endpoint has refused: it is asked without from then on. */
  const refusedBy = new Map<string, Set<OptionalFeature>>();

  const jsonOf = (request: LlmRequest) =>
    completionRequest(request, options.baseUrl, options.kind, refusedBy.get(request.model));

  /** Models of which it is known whether they take images. */
  const tried = new Set<string>();
  const isProbing = (model: string) => options.probesImages === true && !tried.has(model);

  function noteImages(request: LlmRequest): void {
    if (!hasImages(request) || tried.has(request.model)) return;
    tried.add(request.model);
    if (refusedBy.get(request.model)?.has('images') === true) options.onImagesRefused?.(request.model);
  }

  async function startWithRetries(request: LlmRequest): Promise<BegunAnswer & { sent: number }> {
    for (let tries = 1; ; tries++) {
      try {
        const json = jsonOf(request);
        const begun = await begin(request, json);
        noteImages(request);
        return { ...begun, sent: countedCharacters(request.messages, json) };
      } catch (error) {
        request.signal?.throwIfAborted();
        const refused = refusedBy.get(request.model) ?? new Set<OptionalFeature>();
        const feature = refusedFeature(error, request, refused, isProbing(request.model));
        if (feature !== undefined) {
          refusedBy.set(request.model, refused.add(feature));
          tries--;
          continue;
        }
        // It was not the image that was refused.
        if (isProbing(request.model)) refused.delete('images');
        const failure = failureOf(error, request, false);
        const wait = pauseBeforeRetry(failure, tries, retryPausesMs);
        if (wait === undefined) throw failure.error;
        await pause(wait, undefined, { signal: request.signal }).catch(() => request.signal?.throwIfAborted());
      }
    }
  }

  return {
    async *stream(request) {
      const { body, watchdog, chunks: first, sent } = await startWithRetries(request);
      const names = new Set(request.tools?.map((tool) => tool.function.name));
      const accumulator = new AnswerAccumulator((name) => names.has(name));
      try {
        for (let chunks = first; chunks !== undefined; chunks = await body.next()) {
          watchdog.rest();
          const deltas = chunks.flatMap((chunk) => accumulator.add(chunk));
          if (deltas.length > 0) yield deltas;
          watchdog.watch(idleTimeoutMs * (request.patience ?? 1));
        }
        watchdog.rest();
        yield [finishOf(accumulator.finish(body.done), request.model, sent)];
      } catch (error) {
        request.signal?.throwIfAborted();
        const failure = failureOf(watchdog.bark ?? error, request, true).error;
        throw accumulator.isEmpty ? failure : new BrokenAnswerError(failure, usageOf(accumulator, sent));
      } finally {
        await release(watchdog, body);
      }
    },
  };
}

/** An answer whose first chunks have been read; none at all where it was empty. */
interface BegunAnswer {
  readonly body: CompletionBody;
  readonly watchdog: Watchdog;
  readonly chunks: CompletionChunk[] | undefined;
}

/** What the words of a refusal name, most telling first. */
const refusals: readonly (readonly [OptionalFeature, RegExp])[] = [
  ['logprobs', /log_?prob/i],
  ['temperature', /temperature/i],
  ['cache_control', /cache_control/i],
  ['response_format', /response_format|json_schema|structured output|\bstrict\b/i],
  ['images', /\bimages?(_url)?\b|vision|multimodal/i],
];

const unknownArgument =
  /(unrecogni[sz]ed|unknown|unexpected|unsupported|extra|invalid)\W+(\w+\W+){0,3}(argument|parameter|field|input|key|property|name)/i;

/** Where an endpoint that was never told to see is sent an image, it may fail in any way. */
const failsOnImages = new Set([400, 404, 415, 422, 500, 501]);

function hasImages({ messages }: LlmRequest): boolean {
  return messages.some(
    ({ role, ...message }) => role !== 'system' && 'images' in message && (message.images?.length ?? 0) > 0,
  );
}

/** The feature of a request that an endpoint refused and that the answer can do without; undefined for any other failure. */
function refusedFeature(
  error: unknown,
  request: LlmRequest,
  refused: ReadonlySet<OptionalFeature>,
  isProbing: boolean,
): OptionalFeature | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const mayProbe = isProbing && hasImages(request) && !refused.has('images') && failsOnImages.has(error.status);
  const said = `${error.message} ${JSON.stringify(error.payload ?? '')}`.slice(0, 4000);
  const hasLogprobs = request.logprobs === true && !refused.has('logprobs');
  // Some fail on it in their own way, and not as on a bad request.
  if (hasLogprobs && error.status < 600 && error.status !== 429 && /log_?prob/i.test(said)) return 'logprobs';
  if (error.status !== 400 && error.status !== 422) return mayProbe ? 'images' : undefined;
  const isSent: Record<OptionalFeature, boolean> = {
    logprobs: hasLogprobs,
    temperature: request.temperature !== undefined,
    cache_control: true,
    response_format: request.responseFormat !== undefined,
    images: hasImages(request),
  };
  const named = refusals.find(([name, words]) => isSent[name] && !refused.has(name) && words.test(said))?.[0];
  // Of an argument that a refusal does not name, this is the one that the fewest endpoints know.
  const isUnknownArgument = hasLogprobs && unknownArgument.test(said);
  return named ?? (isUnknownArgument ? 'logprobs' : mayProbe ? 'images' : undefined);
}

/** The SDK is large, and a server that has asked no model anything yet does without it. */
async function connect(options: OpenAiConnectionOptions): Promise<PostCompletion> {
  const { connectOpenAi } = await import('./connection.ts');
  return connectOpenAi(options);
}

/** A body that cannot be closed any more is closed. */
async function release(watchdog: Watchdog, body: CompletionBody | undefined): Promise<void> {
  watchdog.stop();
  await body?.close().catch(() => undefined);
}

function finishOf(finished: FinishedAnswer, model: string, sent: number): LlmChunk {
  const { answer, finishReason } = finished;
  return { type: 'finish', answer: { ...answer, model }, finishReason, usage: usageOf(finished, sent) };
}

function usageOf({ usage, length }: Pick<FinishedAnswer, 'usage' | 'length'>, sent: number): TokenUsage {
  return usage === undefined
    ? { prompt_tokens: estimatedTokens(sent), completion_tokens: estimatedTokens(length), estimated: true }
    : { ...usage, estimated: false };
}

/** Ends a request that says nothing for too long, or whose caller has lost interest. */
class Watchdog {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = () => this.#controller.abort(this.#caller?.reason);
  #timer: NodeJS.Timeout;
  #waitMs: number;
  #waiting = true;
  #bark: SilenceError | undefined;

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

  /** Set once the silence was too long. */
  get bark(): SilenceError | undefined {
    return this.#bark;
  }

  /** From now on something is waited for. */
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

  /** It came: however long it is being worked on does not count. */
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
      this.#bark = new SilenceError(this.#waitMs);
      this.#controller.abort(this.#bark);
    }, this.#waitMs);
  }
}
