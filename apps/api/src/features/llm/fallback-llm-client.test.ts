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
  for await (const said of client.stream({ model: 'first', messages: [] })) chunks.push(...said);
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

it('goes to the fallback when the service has no money left, and not when the organization has none', async () => {
  const quota = new DomainError('budget_exhausted', 'model_quota_exhausted', 'Top it up.');
  const paid = createFallbackLlmClient(clientOf({ first: [quota], second: [text('b')] }), 'second', () => {});
  expect(await drain(paid)).toEqual([text('b')]);
  const budget = new DomainError('budget_exhausted', 'budget_exhausted', 'Used up.');
  const unpaid = createFallbackLlmClient(clientOf({ first: [budget], second: [text('b')] }), 'second', () => {});
  await expect(drain(unpaid)).rejects.toBe(budget);
});

it('stays with an answer that broke off inside a call, though nobody has seen any of it', async () => {
  const broken = new BrokenAnswerError(down, { prompt_tokens: 1, completion_tokens: 1, estimated: true });
  const client = createFallbackLlmClient(clientOf({ first: [broken], second: [text('b')] }), 'second', () => {});
  await expect(drain(client)).rejects.toBe(broken);
});
