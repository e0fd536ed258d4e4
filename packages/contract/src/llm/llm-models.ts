import { z } from 'zod';
import { reasoningLevel } from './model-dialect.ts';

export const llmModel = z.object({
  id: z.string(),
  provider: z.string(),
  chat_agent: z.boolean(),
  default: z.boolean(),
  /** Present if images of pages are sent to the model. */
  vision: z.literal(true).optional(),
  /** How much it thinks, if an admin has set it. */
  reasoning: reasoningLevel.optional(),
});
export type LlmModel = z.infer<typeof llmModel>;

export const llmModelList = z.object({ models: z.array(llmModel) });
export const llmModelQuery = z.object({
  chat_only: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});
