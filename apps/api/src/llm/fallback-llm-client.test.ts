import { DomainError } from '@docwright/contract';
import type { LlmChunk, LlmClient } from '@docwright/agent-core';
import { expect, it } from 'vitest';
import { createFallbackLlmClient } from './fallback-llm-client.ts';

const down = new DomainError('model_failed', 'model_unreachable', 'The endpoint did not answer.');
const text = (value: string): LlmChunk => ({ type: 'text_delta', text: value });

function clientOf(script: Record<string, (LlmChunk | Error)[]>): LlmClient {
  return {
    async *stream(request) {
      for (const step of script[request.model] ?? []) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
}

async function drain(client: LlmClient): Promise<LlmChunk[]> {
  const chunks: LlmChunk[] = [];
  for await (const chunk of client.stream({ model: 'first', messages: [] })) chunks.push(chunk);
  return chunks;
}

it('goes to the fallback when the first model fails before its first token', async () => {
  const told: unknown[] = [];
  const client = createFallbackLlmClient(clientOf({ first: [down], second: [text('b')] }), 'second', (failed) =>
    told.push(failed),
  );
  expect(await drain(client)).toEqual([text('b')]);
  expect(told).toEqual([{ model: 'first', code: 'model_unreachable' }]);
});

it('stays with a failure after the first token, and with what is no failure of the service', async () => {
  const late = createFallbackLlmClient(clientOf({ first: [text('a'), down], second: [text('b')] }), 'second', () => {});
  await expect(drain(late)).rejects.toBe(down);
  const wrong = new DomainError('invalid', 'bad', 'bad');
  const bad = createFallbackLlmClient(clientOf({ first: [wrong], second: [text('b')] }), 'second', () => {});
  await expect(drain(bad)).rejects.toBe(wrong);
});
