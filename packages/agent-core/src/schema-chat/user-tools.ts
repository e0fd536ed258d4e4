import { question, questionOption } from '@docwright/contract';
import { z } from 'zod';
import { filledInDescription, fillIds } from '../tool/fill-ids.ts';
import { defineTool } from '../tool/tool.ts';

const askedOption = questionOption
  .extend({ id: questionOption.shape.id.optional().describe(filledInDescription) })
  .strict();
const asked = question.extend({
  id: question.shape.id.optional().describe(filledInDescription),
  header: question.shape.header.describe('Two or three words shown above the question.'),
  options: z.array(askedOption).min(2).max(6),
  multiSelect: z.boolean().default(false),
  allowOther: z.boolean().default(true).describe('Whether the person can answer in their own words. Default: true.'),
});

/** The completed arguments of `ask_questions`. */
export const askedQuestions = z.object({ questions: z.array(question).min(1).max(4) });

export const askDesignQuestions = defineTool({
  name: 'ask_questions',
  description:
    'Asks the person up to four questions, each with two to six options, and waits for the answers. Use it for decisions that only the person can make, never for permission.',
  effect: 'read',
  awaitsAnswers: true,
  parameters: z.object({ questions: z.array(asked.strict()).min(1).max(4) }),
  complete: ({ questions }) => ({
    questions: fillIds(questions, 'question').map((each) => ({ ...each, options: fillIds(each.options, 'option') })),
  }),
  summarize: ({ questions }) => questions.map(({ questionText }) => questionText).join(' '),
  execute: async ({ answers }: { answers?: unknown }) => ({ answers }),
});

/** The arguments of `request_example_image`. */
export const imageRequestArguments = z.object({
  message: z.string().min(1).max(1000).describe('What the image should show, and why you need it.'),
});

export const requestExampleImage = defineTool({
  name: 'request_example_image',
  description: 'Asks the person for an image of an example document and waits for it.',
  effect: 'read',
  awaitsAnswers: true,
  parameters: imageRequestArguments,
  summarize: ({ message }) => message,
  execute: async ({ answers }: { answers?: unknown }) => ({ answers }),
});
