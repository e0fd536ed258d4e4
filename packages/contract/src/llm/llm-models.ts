import { z } from 'zod';

export const llmModel = z.object({
  id: z.string(),
  provider: z.string(),
  chat_agent: z.boolean(),
  default: z.boolean(),
  /** Present if images of pages are sent to the model. */
  vision: z.literal(true).optional(),
});
export type LlmModel = z.infer<typeof llmModel>;

export const llmModelList = z.object({ models: z.array(llmModel) });
export const llmModelQuery = z.object({
  chat_only: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});
