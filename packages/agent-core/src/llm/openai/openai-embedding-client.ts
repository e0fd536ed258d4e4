import { setTimeout as pause } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { traced, traceHeaders } from '../../tracing/traced.ts';
import type { TokenUsage } from '../llm-client.ts';
import { BadAnswerError, StatusError } from '../model-errors.ts';
import { modelFailureOf, settingsLabels } from '../model-failure.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { estimatedTokens } from '../token-usage.ts';

/** Computes embedding vectors of texts. */
export interface EmbeddingClient {
  readonly model: string;
  /** Returns one vector for each text, in order, all of the same length. Throws a DomainError, or the signal's reason. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<{ vectors: Float32Array[]; usage: TokenUsage }>;
}

/** The settings of an embedding client. Times are in milliseconds. */
interface OpenAiEmbeddingOptions {
  /** The URL of an OpenAI-compatible API, usually ending in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly timeoutMs?: number;
  readonly retryPausesMs?: readonly number[];
}

/**
 * A client for services with OpenAI's embeddings API. The SDK is loaded with the first call.
 *
 * @example
 * import { createOpenAiEmbeddingClient } from '@docwright/agent-core';
 *
 * const client = createOpenAiEmbeddingClient({ baseUrl: 'http://localhost:4000/v1', model: 'text-embedding-3-small' });
 * const { vectors } = await client.embed(['Notice period', 'Rent']); // two vectors of the same length
 */
export function createOpenAiEmbeddingClient(options: OpenAiEmbeddingOptions): EmbeddingClient {
  const { baseUrl, model, timeoutMs = 60_000, retryPausesMs = [500, 2000] } = options;
  const apiKey = options.apiKey ?? '';
  const labels = { ...settingsLabels, model: 'LLM_EMBEDDING_MODEL' };

  const step = {
    name: `embeddings ${model}`,
    kind: SpanKind.CLIENT,
    attributes: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model },
  };

  async function once(texts: readonly string[], signal: AbortSignal | undefined) {
    const { default: OpenAI, APIError } = await import('openai');
    const { withShortErrors } = await import('./connection.ts');
    const openai = new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey === '' ? 'none' : apiKey,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
      fetch: withShortErrors(fetch),
    });
    const body = { model, input: [...texts], encoding_format: 'float' as const };
    const sent = { headers: traceHeaders(), ...(signal && { signal }) };
    const answer = await openai.embeddings.create(body, sent).catch((error: unknown) => {
      if (!(error instanceof APIError) || error.status === undefined) throw error;
      throw new StatusError(error.status, error.error, error.message, error.headers);
    });
    const vectors = vectorsOf(answer, texts.length);
    const counted = answer.usage?.prompt_tokens;
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    const prompt_tokens = counted ?? estimatedTokens(characters);
    return { vectors, usage: { prompt_tokens, completion_tokens: 0, estimated: counted === undefined } };
  }

  return {
    model,
    async embed(texts, signal) {
      for (let tries = 1; ; tries++) {
        try {
          return await traced(step, async (span) => {
            const answer = await once(texts, signal);
            span.setAttribute('gen_ai.usage.input_tokens', answer.usage.prompt_tokens);
            return answer;
          });
        } catch (error) {
          signal?.throwIfAborted();
          const failure = modelFailureOf(error, { labels, baseUrl, apiKey, model, answering: false });
          const wait = pauseBeforeRetry(failure, tries, retryPausesMs);
          if (wait === undefined) throw failure.error;
          await pause(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
        }
      }
    },
  };
}

interface EmbeddingAnswer {
  data?: { index?: number; embedding?: unknown }[];
}

/** Checks and sorts the vectors: compatible services deviate from the SDK's types. */
function vectorsOf({ data }: EmbeddingAnswer, count: number): Float32Array[] {
  if (!Array.isArray(data) || data.length !== count) throw new BadAnswerError('another number of vectors than texts');
  const ordered = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  const vectors = ordered.map(({ embedding }) => Float32Array.from(isNumbers(embedding) ? embedding : []));
  const length = vectors[0]?.length ?? 0;
  if (length === 0 || vectors.some((vector) => vector.length !== length || !vector.every(Number.isFinite))) {
    throw new BadAnswerError('something that is no vector');
  }
  return vectors;
}

/** Services send null for NaN, and `Float32Array.from` would convert it to zero. */
function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}
