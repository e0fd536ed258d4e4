import { z } from 'zod';
import type { DocumentKind } from '../propose/document-kind.ts';
import { kindIn } from './column-requests.ts';

/** The questions for a conversation that does not name the kind of document. */
export const kindQuestions = [
  {
    id: 'kind',
    header: 'Documents',
    questionText: 'Which kind of documents do you have?',
    options: [
      { id: 'invoice', label: 'Invoices' },
      { id: 'receipt', label: 'Receipts' },
      { id: 'contract', label: 'Contracts' },
      { id: 'letter', label: 'Letters' },
      { id: 'lab_report', label: 'Laboratory reports' },
    ],
    multiSelect: false,
    allowOther: true,
  },
  {
    id: 'rows',
    header: 'Rows',
    questionText: 'How many rows does one document give?',
    options: [
      { id: 'one', label: 'One row', description: 'One value of each column.' },
      { id: 'many', label: 'Many rows', description: 'A statement or a list: a row for each entry.' },
    ],
    multiSelect: false,
    allowOther: false,
  },
];

const answered = z.object({
  answers: z.array(
    z.looseObject({
      question_id: z.string(),
      option_ids: z.array(z.string()).default([]),
      other: z.string().optional(),
    }),
  ),
});

/** Reads the answers, which the page sends as objects and a user can also type as text. */
export function readKindAnswers(value: Record<string, unknown>): { kind: DocumentKind | null; manyRows: boolean } {
  const read = answered.safeParse(value);
  if (!read.success) {
    const words = JSON.stringify(value);
    return { kind: kindIn(words), manyRows: /\bmany\b/iu.test(words) };
  }
  const answerTo = (id: string) => read.data.answers.find(({ question_id }) => question_id === id);
  const kind = answerTo('kind');
  return {
    kind: kindIn([...(kind?.option_ids ?? []), kind?.other ?? ''].join(' ').replace('lab_report', 'lab report')),
    manyRows: answerTo('rows')?.option_ids.includes('many') === true,
  };
}
