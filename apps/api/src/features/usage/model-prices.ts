import { readFileSync, statSync } from 'node:fs';
import type { ModelPrice } from '@docwright/contract';
import { z } from 'zod';
import { SettingsError } from '../../platform/settings/settings.ts';

/** The tokens of a call that have a price. The cached ones are part of the prompt. */
interface PricedTokens {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens?: number | undefined;
}

/** What a million tokens of each model cost, in one currency. */
export type ModelPrices = ReturnType<typeof createModelPrices>;

/** A price list: each model with input, cached input and output, in dollars for a million tokens. */
interface DatedPrices {
  /** The day on which the source was read. */
  as_of: string;
  prices: Record<string, [input: number, cachedInput: number, output: number]>;
}

/**
 * List prices in US dollars for a million tokens, without discounts for batches. Models whose price depends on the length
 * of the prompt are left out: a table of one price would be wrong for them.
 */
const defaultPrices: DatedPrices[] = [
  {
    // The built-in rules cost nothing.
    as_of: '2026-11-28',
    prices: { 'demo-rules-1': [0, 0, 0] },
  },
  {
    // https://platform.claude.com/docs/en/about-claude/pricing, as the crate synaps 0.10.2 checked it on this day.
    as_of: '2026-10-10',
    prices: {
      'claude-fable-5': [10, 1, 50],
      'claude-opus-5': [5, 0.5, 25],
      'claude-opus-4-8': [5, 0.5, 25],
      'claude-opus-4-7': [5, 0.5, 25],
      'claude-opus-4-6': [5, 0.5, 25],
      'claude-opus-4-5': [5, 0.5, 25],
      'claude-opus-4-1': [15, 1.5, 75],
      'claude-sonnet-5': [2, 0.2, 10],
      'claude-sonnet-4-6': [3, 0.3, 15],
      'claude-sonnet-4-5': [3, 0.3, 15],
      'claude-haiku-4-5': [1, 0.1, 5],
    },
  },
  {
    // The price table of GitHub Copilot's models, which repeats the services' list prices:
    // https://github.com/github/docs/blob/024f6b0f8c266054134f13dd7d122d8b80d25315/data/tables/copilot/models-and-pricing.yml
    as_of: '2026-11-28',
    prices: {
      'gpt-5-mini': [0.25, 0.025, 2],
      'gpt-5.3-codex': [1.75, 0.175, 14],
      'gpt-5.4-mini': [0.75, 0.075, 4.5],
      'gpt-5.4-nano': [0.2, 0.02, 1.25],
      'gemini-3.5-flash': [1.5, 0.15, 9],
    },
  },
  {
    // OpenAI's pricing page as others repeat it: the crate openai-models 0.1.1 (gpt-4o, gpt-4o-mini), and the table of the
    // PowerShell module ShellPilot 0.3.1, in effect from this day (gpt-4.1, gpt-5.2).
    as_of: '2026-06-01',
    prices: {
      'gpt-4o': [2.5, 1.25, 10],
      'gpt-4o-mini': [0.15, 0.075, 0.6],
      'gpt-4.1': [2, 0.5, 8],
      'gpt-5.2': [1.75, 0.175, 14],
    },
  },
];

const maxFileBytes = 1_000_000;
const perMillion = z.number().min(0).max(100_000);
const day = z.iso.date();
const priceFile = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/u)
    .default('USD'),
  as_of: day.optional(),
  /** Whether models that the file does not name have the built-in prices. Those are in dollars. */
  defaults: z.boolean().optional(),
  models: z
    .record(
      z.string().min(1).max(200),
      z.strictObject({
        input: perMillion,
        cached_input: perMillion.optional(),
        output: perMillion.default(0),
        as_of: day.optional(),
      }),
    )
    .default({}),
});

/**
 * The operator's prices and, in dollars, the built-in ones.
 *
 * @param file The path of a JSON file; undefined for the built-in prices alone.
 * @throws SettingsError if the file cannot be read or is malformed.
 * @example
 * const prices = readModelPrices('/etc/docwright/prices.json');
 * prices.costOf('gpt-4o', { prompt_tokens: 1_000, completion_tokens: 100 }); // 3500, which is $0.0035
 */
export function readModelPrices(file: string | undefined): ModelPrices {
  return file === undefined ? createModelPrices({}) : createModelPrices(parseFile(file));
}

function parseFile(file: string): unknown {
  try {
    if (statSync(file).size > maxFileBytes) throw new Error('it is larger than 1 MB');
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(
      `MODEL_PRICES cannot be read: ${error instanceof Error ? error.message : String(error)}. It takes the path of a JSON file, see docs/operators/models.md.`,
    );
  }
}

/** @throws SettingsError if the table is malformed. */
export function createModelPrices(table: unknown) {
  const parsed = priceFile.safeParse(table);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(
      `MODEL_PRICES: ${issue?.path.join('.') || 'the file'}: ${issue?.message}. A model has "input" and "output", and may have "cached_input", in the currency for a million tokens.`,
    );
  }
  const { currency, as_of, models, defaults = currency === 'USD' } = parsed.data;
  if (defaults && currency !== 'USD') {
    throw new SettingsError(`MODEL_PRICES: the built-in prices are in USD; set "defaults" to false for ${currency}.`);
  }
  const prices = new Map<string, ModelPrice>();
  for (const list of defaults ? defaultPrices : []) {
    for (const [model, [input, cached_input, output]] of Object.entries(list.prices))
      prices.set(model, { input, cached_input, output, as_of: list.as_of, is_default: true });
  }
  for (const [model, price] of Object.entries(models)) {
    const { input, cached_input = input, output } = price;
    const dated = price.as_of ?? as_of;
    prices.set(model.toLowerCase(), {
      input,
      cached_input,
      output,
      ...(dated && { as_of: dated }),
      is_default: false,
    });
  }
  const of = (model: string) => {
    for (const name of namesOf(model)) {
      const price = prices.get(name);
      if (price !== undefined) return price;
    }
    return undefined;
  };
  return {
    /** ISO 4217, such as `USD`. */
    currency,
    /** The price of a model as calls name it; undefined if none is known. */
    of,
    /** Millionths of the currency, rounded to a whole number; undefined if the model has no price. */
    costOf(model: string, { prompt_tokens, completion_tokens, cached_tokens = 0 }: PricedTokens) {
      const price = of(model);
      if (price === undefined) return undefined;
      const cached = Math.min(cached_tokens, prompt_tokens);
      // A price for a million tokens is the price of a token in millionths.
      const cost =
        BigInt(prompt_tokens - cached) * scaled(price.input) +
        BigInt(cached) * scaled(price.cached_input) +
        BigInt(completion_tokens) * scaled(price.output);
      return Number((cost + scale / 2n) / scale);
    },
  };
}

/** Prices have at most this many parts of a millionth, so that sums are exact. */
const scale = 1_000_000n;
const scaled = (price: number): bigint => BigInt(Math.round(price * Number(scale)));

/**
 * The names under which a model can have a price, the most exact first: as it is, without the provider before the last
 * `/`, and without the date of a snapshot (`-2024-08-06`, `-20250929`).
 */
function namesOf(model: string): string[] {
  const name = model.toLowerCase();
  const withoutProvider = name.slice(name.lastIndexOf('/') + 1);
  const withoutDate = (text: string) => text.replace(/-\d{4}-?\d{2}-?\d{2}$/u, '');
  return [name, withoutDate(name), withoutProvider, withoutDate(withoutProvider)];
}
