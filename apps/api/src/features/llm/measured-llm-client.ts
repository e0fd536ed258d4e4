import { tracedEvents, type LlmChunk, type LlmClient, type LlmRequest } from '@docwright/agent-core';
import { SpanKind, trace } from '@opentelemetry/api';
import type { Metrics } from '../../platform/metrics/metrics.ts';

type ModelMetrics = Pick<Metrics, 'modelCallDuration' | 'modelFirstChunk' | 'modelTokens' | 'modelErrors'>;

/** Measures each call of a client under its model's name, or under `label` if callers can name any model. Each is a span. */
export function measureLlmClient(client: LlmClient, metrics: ModelMetrics, label?: string): LlmClient {
  return {
    stream(request) {
      const model = label ?? request.model;
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model };
      const step = { name: `chat ${model}`, kind: SpanKind.CLIENT, attributes };
      return tracedEvents(step, () => measuredCall(client, metrics, model, request));
    },
  };
}

async function* measuredCall(
  client: LlmClient,
  metrics: ModelMetrics,
  model: string,
  request: LlmRequest,
): AsyncGenerator<readonly LlmChunk[], void> {
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000;
  let outcome = 'stopped';
  let isFirst = true;
  try {
    for await (const chunks of client.stream(request)) {
      if (isFirst) metrics.modelFirstChunk.observe({ model }, elapsedSeconds());
      isFirst = false;
      for (const chunk of chunks) {
        if (chunk.type !== 'finish') continue;
        outcome = 'answered';
        const { prompt_tokens, completion_tokens } = chunk.usage;
        metrics.modelTokens.inc({ model, kind: 'prompt' }, prompt_tokens);
        metrics.modelTokens.inc({ model, kind: 'completion' }, completion_tokens);
        const span = trace.getActiveSpan();
        span?.setAttribute('gen_ai.usage.input_tokens', prompt_tokens);
        span?.setAttribute('gen_ai.usage.output_tokens', completion_tokens);
      }
      yield chunks;
    }
  } catch (error) {
    if (request.signal?.aborted !== true) {
      outcome = 'failed';
      metrics.modelErrors.inc({ model, code: codeOf(error) });
    }
    throw error;
  } finally {
    metrics.modelCallDuration.observe({ model, outcome }, elapsedSeconds());
  }
}

/** The error's stable code; other texts could be a sentence of the provider. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[a-z_]{1,50}$/u.test(code) ? code : 'other';
}
