import type { Usage } from '@docwright/contract';

const none: Usage = { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false };

/** Adds the usage of model calls. */
export function sumOf(before: Usage = none, more: Usage = none): Usage {
  return {
    prompt_tokens: before.prompt_tokens + more.prompt_tokens,
    completion_tokens: before.completion_tokens + more.completion_tokens,
    ...cachedOf((before.cached_tokens ?? 0) + (more.cached_tokens ?? 0)),
    spu: before.spu + more.spu,
    estimated: before.estimated || more.estimated,
  };
}

export type Tokens = Pick<Usage, 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'spu'>;

const cachedOf = (cached_tokens: number) => (cached_tokens > 0 ? { cached_tokens } : {});

/** A conversation's usage, never less than its last turn's: the server's total is outdated until it is fetched again. */
export function atLeast(all: Tokens, turn: Tokens = none): Tokens {
  return {
    prompt_tokens: Math.max(all.prompt_tokens, turn.prompt_tokens),
    completion_tokens: Math.max(all.completion_tokens, turn.completion_tokens),
    ...cachedOf(Math.max(all.cached_tokens ?? 0, turn.cached_tokens ?? 0)),
    spu: Math.max(all.spu, turn.spu),
  };
}
