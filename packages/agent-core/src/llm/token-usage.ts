import type { Usage } from '@docwright/contract';
import type { TokenUsage } from './llm-client.ts';

/** Approximation for English and JSON. Used only if the provider counts no tokens, and marked as an estimate. */
const charactersPerToken = 4;

/**
 * The approximate number of tokens of a text, from its length in UTF-16 units.
 *
 * @example
 * import { estimatedTokens } from '@docwright/agent-core';
 *
 * estimatedTokens(4001); // 1001
 */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Service processing units of one model call: one for each started 1,000 tokens of input and output, at least one. */
function spuOf(promptTokens: number, completionTokens: number): number {
  return Math.max(1, Math.ceil((promptTokens + completionTokens) / 1000));
}

/**
 * The tokens of one model call, with its price in service processing units (SPU).
 *
 * @example
 * import { usageOf } from '@docwright/agent-core';
 *
 * usageOf({ prompt_tokens: 1500, completion_tokens: 600, estimated: false }).spu; // 3
 */
export function usageOf(usage: TokenUsage): Usage {
  return { ...usage, spu: spuOf(usage.prompt_tokens, usage.completion_tokens) };
}

/** The usage before the first model call. */
export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false };

/**
 * Adds two usages. The sum is an estimate if one of them is.
 *
 * @example
 * import type { Usage } from '@docwright/contract';
 * import { addUsage, noUsage } from '@docwright/agent-core';
 *
 * declare const usages: readonly Usage[];
 * const total = usages.reduce(addUsage, noUsage);
 */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    ...cachedSum(one.cached_tokens, other.cached_tokens),
    spu: one.spu + other.spu,
    estimated: one.estimated || other.estimated,
  };
}

function cachedSum(one: number | undefined, other: number | undefined): Pick<Usage, 'cached_tokens'> {
  return one === undefined && other === undefined ? {} : { cached_tokens: (one ?? 0) + (other ?? 0) };
}
