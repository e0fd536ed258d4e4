import { DomainError, type CallAnswers } from '@docwright/contract';
import { z } from 'zod';
import { filledInDescription, fillIds } from '../../../tool/fill-ids.ts';
import { defineTool } from '../../../tool/tool.ts';

const option = z.strictObject({
  id: z.string().min(1).max(100).optional().describe(filledInDescription),
  label: z.string().min(1).max(200),
  description: z.string().max(1000).optional(),
});
const question = z.strictObject({
  id: z.string().min(1).max(100).optional().describe(filledInDescription),
  header: z.string().min(1).max(80).describe('Two or three words shown above the question.'),
  question_text: z.string().min(1).max(2000),
  options: z.array(option).max(20),
  multi_select: z.boolean().default(false),
  allow_other: z.boolean().default(true).describe('Whether the person can answer in their own words. Default: true.'),
});
const parameters = z.object({ questions: z.array(question).min(1).max(10) });
type Question = z.output<typeof question>;
type Answer = CallAnswers['answers'][number];

export const askQuestions = defineTool({
  name: 'ask_questions',
  description:
    'Asks the person up to ten questions with options and waits for the answers. Use it for decisions that only the person can make. Do not use it to ask for permission: the person is asked about each call that needs one.',
  effect: 'read',
  awaitsAnswers: true,
  parameters,
  complete: ({ questions }) => ({ questions: fillIds(questions, 'question').map(completeOptions) }),
  summarize: ({ questions }) => questions.map(({ question_text }) => question_text).join(' '),
  checkAnswers: ({ questions }, answers) => checkAnswers(questions, answers),
  execute: async ({ answers }: { answers?: CallAnswers['answers'] }, { questions }) => {
    if (!answers) throw new DomainError('invalid', 'not_answered', 'The person did not answer.');
    checkAnswers(questions, answers);
    return {
      answers: questions.map((asked) =>
        readAnswer(
          asked,
          answers.find(({ question_id }) => question_id === asked.id),
        ),
      ),
    };
  },
});

function completeOptions(asked: Question & { id: string }) {
  return { ...asked, options: fillIds(asked.options, 'option') };
}

function readAnswer(asked: Question, given: Answer | undefined) {
  const { id, header, question_text, options } = asked;
  const chosen = options.filter((entry) => entry.id !== undefined && given?.option_ids.includes(entry.id));
  return {
    question_id: id,
    header,
    question_text,
    answered: given !== undefined,
    chosen: chosen.map(({ id, label }) => ({ option_id: id, label })),
    ...(given?.other !== undefined && { other: given.other }),
  };
}

/** Throws if answers name unknown questions or options, or several options of a single-choice question. */
function checkAnswers(questions: Question[], answers: Answer[]): void {
  for (const { question_id, option_ids, other } of answers) {
    const asked = questions.find(({ id }) => id === question_id);
    if (!asked) throw answerError(`No question has the id ${question_id}.`);
    const unknown = option_ids.find((id) => !asked.options.some((entry) => entry.id === id));
    if (unknown !== undefined) throw answerError(`The question ${question_id} has no option ${unknown}.`);
    if (option_ids.length > 1 && !asked.multi_select)
      throw answerError(`The question ${question_id} takes one option.`);
    if (other !== undefined && !asked.allow_other)
      throw answerError(`The question ${question_id} takes no free answer.`);
  }
}

function answerError(message: string): DomainError {
  return new DomainError('unprocessable', 'answer_does_not_fit', message);
}
