import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createModelPrices, readModelPrices } from './model-prices.ts';

const folder = mkdtempSync(join(tmpdir(), 'docwright-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokens = { prompt_tokens: 1_000, completion_tokens: 100 };

it('has dated prices of public models, and says when it knows none', () => {
  const prices = readModelPrices(undefined);
  expect(prices.currency).toBe('USD');
  expect(prices.of('gpt-4o')).toEqual({
    input: 2.5,
    cached_input: 1.25,
    output: 10,
    as_of: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/u),
    is_default: true,
  });
  expect(prices.costOf('gpt-4o', tokens)).toBe(3_500);
  expect(prices.costOf('gpt-4o', { ...tokens, cached_tokens: 800 })).toBe(2_500);
  expect(prices.costOf('demo-rules-1', tokens)).toBe(0);
  expect(prices.of('a-model-of-tomorrow')).toBeUndefined();
  expect(prices.costOf('a-model-of-tomorrow', tokens)).toBeUndefined();
});

it.each(['gpt-4o', 'GPT-4o', 'openai/gpt-4o', 'acme/openai/gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'])(
  'finds the price of %s',
  (model) => {
    expect(readModelPrices(undefined).of(model)?.input).toBe(2.5);
  },
);

it('finds no price by a part of a name', () => {
  const prices = readModelPrices(undefined);
  expect(prices.of('gpt-4o-audio')).toBeUndefined();
  expect(prices.of('gpt-4o/fine-tuned')).toBeUndefined();
});

it('takes the operator’s prices first, and the most exact name', () => {
  const prices = createModelPrices({
    as_of: '2026-11-01',
    models: { 'acme/gpt-4o': { input: 1, output: 4 }, 'house-model': { input: 0, output: 0, as_of: '2026-11-20' } },
  });
  expect(prices.of('acme/gpt-4o')).toEqual({
    input: 1,
    cached_input: 1,
    output: 4,
    as_of: '2026-11-01',
    is_default: false,
  });
  expect(prices.of('other/gpt-4o')?.input).toBe(2.5);
  expect(prices.of('house-model')).toMatchObject({ input: 0, as_of: '2026-11-20' });
});

it('counts small and large amounts exactly', () => {
  const prices = createModelPrices({ models: { m: { input: 0.1, output: 99_999.999999 } } });
  expect(prices.costOf('m', { prompt_tokens: 4, completion_tokens: 0 })).toBe(0);
  expect(prices.costOf('m', { prompt_tokens: 5, completion_tokens: 0 })).toBe(1);
  expect(prices.costOf('m', { prompt_tokens: 0, completion_tokens: 10_000_000 })).toBe(999_999_999_990);
});

it('uses the built-in prices, which are in dollars, with no other currency', () => {
  const prices = createModelPrices({ currency: 'EUR', models: { m: { input: 1, output: 1 } } });
  expect([prices.currency, prices.of('gpt-4o')]).toEqual(['EUR', undefined]);
  expect(() => createModelPrices({ currency: 'EUR', defaults: true })).toThrow(/built-in prices are in USD/u);
});

it('says what is wrong with a table', () => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, '{"models": {"m": {"input": -1}}}');
  expect(() => readModelPrices(file)).toThrow(/MODEL_PRICES: models\.m\.input: /u);
  writeFileSync(file, '{"models": ');
  expect(() => readModelPrices(file)).toThrow(/MODEL_PRICES cannot be read: .*JSON/u);
  expect(() => readModelPrices(join(folder, 'missing.json'))).toThrow(/MODEL_PRICES cannot be read: .*ENOENT/u);
});
