import type { Usage } from '@docwright/contract';
import type { TokenUsage } from './llm-client.ts';

/** Near enough for English and JSON; only used where the provider counts nothing, and marked as an estimate. */
const charactersPerToken = 4;

export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Service processing units of one model call: one per started 1,000 tokens of input plus output, at least one. */
function spuOf(promptTokens: number, completionTokens: number): number {
  return Math.max(1, Math.ceil((promptTokens + completionTokens) / 1000));
}

/** One model call's tokens with its price. */
export function usageOf(usage: TokenUsage): Usage {
  return { ...usage, spu: spuOf(usage.prompt_tokens, usage.completion_tokens) };
}

export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false };

/** The sum of several calls; an estimate as soon as one of them is. */
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
