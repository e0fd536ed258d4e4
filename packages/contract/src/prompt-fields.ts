import { z } from 'zod';

/** Fields that prompts share with what is measured about them. */
export const promptContent = z.string().trim().min(1).max(100_000);
/** Number of verified results that a prompt wants as examples. It is stored; extraction requests do not use it yet. */
export const promptExamples = z
  .strictObject({ count: z.number().int().min(0).max(5) })
  .describe(
    'How many verified results are to be shown as examples. Stored with the prompt; extraction requests show none yet.',
  );
