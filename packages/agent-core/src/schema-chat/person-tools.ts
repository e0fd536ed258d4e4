import { question, questionOption } from '@docwright/contract';
import { z } from 'zod';
import { fillIds } from '../tool/fill-ids.ts';
import { defineTool } from '../tool/tool.ts';

const filledIn = 'Filled in when left out.';
const askedOption = questionOption.extend({ id: questionOption.shape.id.optional().describe(filledIn) });
const asked = question.extend({
  id: question.shape.id.optional().describe(filledIn),
  header: question.shape.header.describe('Two or three words that stand above the question.'),
  options: z.array(askedOption).min(2).max(6),
  multiSelect: z.boolean().default(false),
  allowOther: z.boolean().default(true).describe('Whether the person may answer in their own words.'),
});

/** The questions of a call, once its arguments are complete. */
export const askedQuestions = z.object({ questions: z.array(question).min(1).max(4) });

export const askDesignQuestions = defineTool({
  name: 'ask_questions',
  description:
    'Asks the person at most four questions, each with two to six options, and waits for the answers. Use it when something only the person can decide is open: which kind of documents, which values matter. Not for permission: calls that change something ask for that themselves.',
  effect: 'read_only',
  awaitsAnswers: true,
  parameters: z.object({ questions: z.array(asked).min(1).max(4) }),
  complete: ({ questions }) => ({
    questions: fillIds(questions, 'question').map((each) => ({ ...each, options: fillIds(each.options, 'option') })),
  }),
  summarize: ({ questions }) => questions.map(({ questionText }) => questionText).join(' '),
  execute: async ({ answers }: { answers?: unknown }) => ({ answers }),
});

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
