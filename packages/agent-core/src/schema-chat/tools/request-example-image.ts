import { z } from 'zod';
import { defineTool } from '../../tool/tool.ts';

/** What the person is asked to show. */
export const imageWish = z.object({
  message: z.string().min(1).max(1000).describe('What the image shall show and what for, in words for the person.'),
});

export const requestExampleImage = defineTool({
  name: 'request_example_image',
  description:
    'Asks the person for an image of an example document and waits for it; it then stands in the conversation. Use it when you cannot tell from words what the documents look like.',
  effect: 'read_only',
  awaitsAnswers: true,
  parameters: imageWish,
  summarize: ({ message }) => message,
  execute: async ({ answers }: { answers?: unknown }) => ({ answers }),
});
