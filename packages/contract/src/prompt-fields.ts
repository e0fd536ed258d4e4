import { z } from 'zod';

/** Fields of both prompts and evaluations. */
export const promptContent = z.string().trim().min(1).max(100_000);
/** Number of verified results that an extraction request includes as examples. */
export const promptExamples = z
  .strictObject({ count: z.number().int().min(0).max(5) })
  .describe(
    'How many verified results of the prompt each extraction request shows as examples (0): those of the documents whose words are nearest, each with the passages that its values came from, at most 1,000 tokens each. A document is never its own example.',
  );
/** Whether the model quotes the source words of each value. The quotes are checked, and narrow the search for its place. */
export const promptEvidence = z
  .boolean()
  .describe('Whether the model names for each value the words it took it from. They narrow the search for its place.');

/** Rules for accepting a prompt's values without a review. */
export const reviewPolicy = z
  .strictObject({
    confirm_below: z.number().min(0).max(1),
    sample: z.number().min(0).max(1),
  })
  .describe(
    'Accepts values whose risk is below `confirm_below` by itself, except those of a `sample` of the documents, drawn by a digest of their id. Accepted is not verified. It belongs to the prompt and not to a revision.',
  );
export type ReviewPolicy = z.infer<typeof reviewPolicy>;
