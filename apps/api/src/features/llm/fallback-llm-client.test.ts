import { DomainError } from '@docwright/contract';
import { BrokenAnswerError, type LlmChunk, type LlmClient } from '@docwright/agent-core';
import { expect, it } from 'vitest';
import { createFallbackLlmClient } from './fallback-llm-client.ts';

const down = new DomainError('model_failed', 'model_unreachable', 'The endpoint did not answer.');
const text = (value: string): LlmChunk => ({ type: 'text_delta', text: value });

function clientOf(script: Record<string, (LlmChunk | Error)[]>): LlmClient {
  return {
    async *stream(request) {
      for (const step of script[request.model] ?? []) {
        if (step instanceof Error) throw step;
        yield [step];
      }
    },
  };
}

async function drain(client: LlmClient): Promise<LlmChunk[]> {
  const chunks: LlmChunk[] = [];
  for await (const batch of client.stream({ model: 'first', messages: [] })) chunks.push(...batch);
  return chunks;
}

it('uses the fallback when the first model fails before its first token', async () => {
  const failures: unknown[] = [];
  const client = createFallbackLlmClient(clientOf({ first: [down], second: [text('b')] }), 'second', (failed) =>
    failures.push(failed),
  );
  expect(await drain(client)).toEqual([text('b')]);
  expect(failures).toEqual([{ model: 'first', code: 'model_unreachable' }]);
});

it('does not fall back after the first token, or if the provider is not at fault', async () => {
  const late = createFallbackLlmClient(clientOf({ first: [text('a'), down], second: [text('b')] }), 'second', () => {});
  await expect(drain(late)).rejects.toBe(down);
  const wrong = new DomainError('invalid', 'bad', 'bad');
  const bad = createFallbackLlmClient(clientOf({ first: [wrong], second: [text('b')] }), 'second', () => {});
  await expect(drain(bad)).rejects.toBe(wrong);
});

it("uses the fallback when the provider's quota is exhausted, but not when the organization's budget is", async () => {
  const quota = new DomainError('budget_exhausted', 'model_quota_exhausted', 'Top it up.');
  const paid = createFallbackLlmClient(clientOf({ first: [quota], second: [text('b')] }), 'second', () => {});
  expect(await drain(paid)).toEqual([text('b')]);
  const budget = new DomainError('budget_exhausted', 'budget_exhausted', 'Used up.');
  const unpaid = createFallbackLlmClient(clientOf({ first: [budget], second: [text('b')] }), 'second', () => {});
  await expect(drain(unpaid)).rejects.toBe(budget);
});

it('does not fall back from an answer that was interrupted inside a call, though none of it was shown', async () => {
  const broken = new BrokenAnswerError(down, { prompt_tokens: 1, completion_tokens: 1, estimated: true });
  const client = createFallbackLlmClient(clientOf({ first: [broken], second: [text('b')] }), 'second', () => {});
  await expect(drain(client)).rejects.toBe(broken);
});
