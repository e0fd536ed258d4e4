import { z } from 'zod';

/** Fields that prompts share with what is measured about them. */
export const promptContent = z.string().trim().min(1).max(100_000);
/** How many verified results of the prompt, of the documents most alike, an extraction request shows as examples. */
export const promptExamples = z.strictObject({ count: z.number().int().min(0).max(5) });
