import type { Prompt } from '@docwright/contract';

/** What the next call needs to know of a prompt. */
export function promptReference({ prompt_id, prompt_revid, prompt_version, name }: Prompt) {
  return { prompt_id, prompt_revid, prompt_version, name };
}
