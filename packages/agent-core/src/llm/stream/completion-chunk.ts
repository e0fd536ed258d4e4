export interface CompletionDelta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  thinking_blocks?: unknown;
  reasoning_details?: unknown;
  tool_calls?: unknown;
}

/** A chunk of a chat completion, or a complete one from a server that ignores `stream`. */
export interface CompletionChunk {
  error?: unknown;
  usage?: unknown;
  choices?:
    | {
        delta?: CompletionDelta | null;
        message?: CompletionDelta | null;
        logprobs?: { content?: unknown } | null;
        finish_reason?: unknown;
      }[]
    | null;
}

/** A non-empty string, otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The items of a list that are objects; anything else counts as an empty list. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'object' && item !== null);
}
