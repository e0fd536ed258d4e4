import { z } from 'zod';

/** How much a model thinks before it answers. Without a level, the endpoint decides. */
export const reasoningLevel = z.enum(['off', 'low', 'medium', 'high']);
export type ReasoningLevel = z.infer<typeof reasoningLevel>;

/** Parts of a request that an endpoint can refuse for a model; the next plainer form is sent in their place. */
export const requestPart = z.enum([
  'logprobs',
  'temperature',
  'response_format',
  'cache_control',
  'images',
  'stream_options',
  'tools',
  /** A last message of the role `system`. */
  'system_tail',
  /** Anthropic's thinking with a budget, and DeepSeek's switch. */
  'thinking',
  'reasoning_effort',
  'reasoning_effort_none',
  'reasoning_effort_minimal',
  /** OpenRouter's object. */
  'reasoning',
]);
export type RequestPart = z.infer<typeof requestPart>;

/** A part that an endpoint refused for a model, and after which it accepted the request. */
export const refusedPart = z.object({
  model: z.string(),
  refused: requestPart,
  /** What is sent in its place. */
  instead: z.string(),
  /** The endpoint's words; null if they repeat the request. */
  reason: z.string().nullable(),
  at: z.string().meta({ format: 'date-time' }),
});
export type RefusedPart = z.infer<typeof refusedPart>;
