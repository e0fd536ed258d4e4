import type { Usage } from '@docwright/contract';

const none: Usage = { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false };

/** What the model calls of a turn took together. */
export function sumOf(before: Usage = none, more: Usage = none): Usage {
  return {
    prompt_tokens: before.prompt_tokens + more.prompt_tokens,
    completion_tokens: before.completion_tokens + more.completion_tokens,
    spu: before.spu + more.spu,
    estimated: before.estimated || more.estimated,
  };
}
