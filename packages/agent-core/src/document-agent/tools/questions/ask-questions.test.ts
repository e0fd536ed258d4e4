import { describe, expect, it } from 'vitest';
import { createToolBench } from '../../../testing/tool-bench.ts';
import { askQuestions } from './ask-questions.ts';

const question = { header: 'Total', question_text: 'Which total?', options: [{ label: 'Net' }, { label: 'Gross' }] };
const asked = askQuestions.complete!(askQuestions.parameters.parse({ questions: [question] }));

describe('ask_questions', () => {
  it('fills in missing ids without repeating given ones', () => {
    const given = { ...question, options: [{ label: 'Net' }, { id: 'option_1', label: 'Gross' }] };
    expect(askQuestions.complete!(askQuestions.parameters.parse({ questions: [given] }))).toMatchObject({
      questions: [{ id: 'question_1', options: [{ id: 'option_2' }, { id: 'option_1' }] }],
    });
  });

  it('returns the labels of the chosen options', async () => {
    const answers = [{ question_id: 'question_1', option_ids: ['option_2'], other: 'with tax' }];
    expect(await createToolBench().run('ask_questions', asked, { answers })).toMatchObject({
      answers: [{ answered: true, chosen: [{ option_id: 'option_2', label: 'Gross' }], other: 'with tax' }],
    });
  });

  it.each([
    ['an unknown question', { question_id: 'question_9', option_ids: [] }],
    ['an unknown option', { question_id: 'question_1', option_ids: ['option_9'] }],
    ['two options of a single-choice question', { question_id: 'question_1', option_ids: ['option_1', 'option_2'] }],
  ])('refuses %s', async (_, answer) => {
    await expect(createToolBench().run('ask_questions', asked, { answers: [answer] })).rejects.toThrow(/question/u);
  });
});
