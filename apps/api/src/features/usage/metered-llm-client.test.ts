import { BrokenAnswerError, type LlmClient } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import { DomainError, type StoredBudget } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createFallbackLlmClient } from '../llm/fallback-llm-client.ts';
import { createModelPrices } from './model-prices.ts';
import { createMeter } from './metered-llm-client.ts';
import type { Charge } from './usage-repository.ts';

const prices = createModelPrices({ models: { m: { input: 2, cached_input: 0.5, output: 10 } } });
const noLimit = { spu_limit: null, cost_limit_micros: null, currency: 'USD', period: 'total' } as const;

function meterOf(budget: Partial<StoredBudget> = {}) {
  const charges: Charge[] = [];
  const sum = (counted: (charge: Charge) => number) => charges.reduce((total, charge) => total + counted(charge), 0);
  const usage = {
    budget: async () => ({ ...noLimit, ...budget }),
    used: async () => ({ spu: sum(({ spu }) => spu), costMicros: sum(({ costMicros }) => costMicros ?? 0) }),
    charge: async (charge: Charge) => void charges.push(charge),
  };
  const meter = createMeter(() => usage, prices);
  const caller = { organizationId: 'o', userId: 'u', threadId: 't', documentId: 'd' };
  return { charges, metered: (client: LlmClient) => meter(client, caller, () => false) };
}

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  estimated: false,
});
const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x'.repeat(8_000) }] };

async function drain(client: LlmClient, signal?: AbortSignal, model = request.model): Promise<void> {
  for await (const chunks of client.stream({ ...request, model, ...(signal ? { signal } : {}) })) void chunks;
}

it.each([
  [0, 0, 1],
  [1, 0, 1],
  [600, 400, 1],
  [600, 401, 2],
  [12_000, 1, 13],
])('charges %i and %i tokens with %i SPU, for whom and what they were used', async (prompt, completion, spu) => {
  const { charges, metered } = meterOf();
  await drain(metered(scriptedLlm([{ text: 'a', usage: usage(prompt, completion) }])));
  expect(charges).toEqual([
    expect.objectContaining({ spu, estimated: false, model: 'm', userId: 'u', threadId: 't', documentId: 'd' }),
  ]);
});

it('charges before it returns the end of the answer', async () => {
  const { charges, metered } = meterOf();
  for await (const [chunk] of metered(scriptedLlm([{ text: 'a' }])).stream(request)) {
    expect(charges).toHaveLength(chunk?.type === 'finish' ? 1 : 0);
  }
});

it('rejects a call without asking the model when the budget is exhausted', async () => {
  const { charges, metered } = meterOf({ spu_limit: 3, period: 'month' });
  const llm = scriptedLlm([
    { text: 'a', usage: usage(1_500, 0) },
    { text: 'b', usage: usage(2_500, 0) },
  ]);
  await drain(metered(llm));
  await drain(metered(llm));
  await expect(drain(metered(llm))).rejects.toMatchObject({
    kind: 'budget_exhausted',
    code: 'budget_exhausted',
    message: expect.stringMatching(/5 of its 3 SPU of this month.*admin/),
  });
  llm.assertFinished();
  expect(charges).toHaveLength(2);
});

it('charges an interrupted answer once, by an estimate', async () => {
  const { charges, metered } = meterOf();
  const stop = new AbortController();
  const stream = metered(scriptedLlm([{ text: 'y'.repeat(4_000), hangs: true }])).stream({
    ...request,
    signal: stop.signal,
  });
  await expect(async () => {
    for await (const [chunk] of stream) {
      expect(chunk?.type).toBe('text_delta');
      setTimeout(() => stop.abort(new Error('stopped')), 5);
    }
  }).rejects.toThrow('stopped');
  expect(charges).toEqual([expect.objectContaining({ completion_tokens: 1_000, estimated: true, spu: 4 })]);
});

it('charges an answer whose reader leaves, and a request stopped before its answer', async () => {
  const { charges, metered } = meterOf();
  for await (const [chunk] of metered(scriptedLlm([{ text: ['a', 'b'] }])).stream(request)) {
    if (chunk?.type === 'text_delta') break;
  }
  expect(charges).toHaveLength(1);
  const stop = new AbortController();
  const stopped = drain(metered(scriptedLlm([{ hangs: true }])), stop.signal);
  setTimeout(() => stop.abort(new Error('stopped')), 10);
  await expect(stopped).rejects.toThrow('stopped');
  expect(charges).toHaveLength(2);
});

it('charges the usage of a broken answer, and nothing for a call that failed or was never made', async () => {
  const failure = new DomainError('model_failed', 'model_unreachable', 'gone');
  const broken: ScriptedStep = { error: new BrokenAnswerError(failure, usage(5_000, 700)) };
  const { charges, metered } = meterOf();
  await expect(drain(metered(scriptedLlm([broken])))).rejects.toThrow('gone');
  expect(charges).toEqual([expect.objectContaining({ spu: 6, completion_tokens: 700 })]);
  await expect(drain(metered(scriptedLlm([{ error: failure }])))).rejects.toThrow('gone');
  await expect(drain(metered(scriptedLlm([{ text: 'a' }])), AbortSignal.abort())).rejects.toThrow();
  expect(charges).toHaveLength(1);
});

it('charges the fallback under its own name', async () => {
  const { charges, metered } = meterOf();
  const failure = new DomainError('model_failed', 'model_unreachable', 'gone');
  const llm = scriptedLlm([{ error: failure }, { text: 'a' }]);
  await drain(createFallbackLlmClient(metered(llm), 'second', () => undefined));
  expect(charges.map(({ model }) => model)).toEqual(['second']);
});

it('charges the price of the table, and none for a model that is not in it', async () => {
  const { charges, metered } = meterOf();
  const used = { ...usage(1_000, 200), cached_tokens: 600 };
  await drain(metered(scriptedLlm([{ text: 'a', usage: used }])));
  await drain(metered(scriptedLlm([{ text: 'a', usage: used }])), undefined, 'unknown');
  expect(charges.map(({ costMicros }) => costMicros)).toEqual([400 * 2 + 300 + 200 * 10, undefined]);
});

it('rejects a call when the budget in money is used up, and one whose model has no price', async () => {
  const { charges, metered } = meterOf({ cost_limit_micros: 5_000, period: 'month' });
  const llm = scriptedLlm([{ text: 'a', usage: usage(1_000, 300) }]);
  await expect(drain(metered(llm), undefined, 'unknown')).rejects.toMatchObject({
    kind: 'budget_exhausted',
    code: 'model_without_price',
    message: expect.stringContaining('the price of unknown is not known'),
  });
  await drain(metered(llm));
  await expect(drain(metered(llm))).rejects.toMatchObject({
    code: 'budget_exhausted',
    message: expect.stringContaining('0.005 of its 0.005 USD of this month'),
  });
  llm.assertFinished();
  expect(charges).toHaveLength(1);
});
