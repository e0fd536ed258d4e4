import type { LlmClient } from '@docwright/agent-core';
import type { Metrics } from '../../platform/metrics/metrics.ts';

type ModelMetrics = Pick<Metrics, 'modelCallDuration' | 'modelFirstChunk' | 'modelTokens' | 'modelErrors'>;

/** Measures each call of a client under its model's name, or under `label` if callers can name any model. */
export function measureLlmClient(client: LlmClient, metrics: ModelMetrics, label?: string): LlmClient {
  return {
    async *stream(request) {
      const model = label ?? request.model;
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
            metrics.modelTokens.inc({ model, kind: 'prompt' }, chunk.usage.prompt_tokens);
            metrics.modelTokens.inc({ model, kind: 'completion' }, chunk.usage.completion_tokens);
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
    },
  };
}

/** The error's stable code; other texts could be a sentence of the provider. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[a-z_]{1,50}$/u.test(code) ? code : 'other';
}
