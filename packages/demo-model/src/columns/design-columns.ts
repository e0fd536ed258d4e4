import { z } from 'zod';
import type { RuleInput } from '../conversation/conversation.ts';
import { describeRefusal } from '../conversation/outcome.ts';
import { type Batch, type BatchSteps, use } from '../conversation/plan.ts';
import { readDocument } from '../page/document-text.ts';
import { type ProposedKind, kindName } from '../propose/document-kind.ts';
import { proposeSchema } from '../propose/propose-schema.ts';
import type { Call } from '../protocol/answer.ts';
import { type ColumnRequest, kindIn } from './column-requests.ts';
import { currentColumns } from './known-columns.ts';
import { columnCall, columnsOfFields, columnsOfKind } from './new-column.ts';

/** Proposes the named columns or those of a kind of document, and asks for the kind when the request does not name it. */
export function* designColumns(
  { of, names }: Extract<ColumnRequest, { kind: 'design' }>,
  conversation: RuleInput,
): BatchSteps<Batch | string> {
  if (names.length > 0) {
    const calls = names.map((name) => columnCall(name, null));
    return proposeMissing(calls, conversation, 'the columns you named');
  }
  if (of !== null) return proposeMissing(columnsOfKind(of), conversation, `the usual values of ${kindName(of)}s`);
  const asked = yield* use('ask_questions', { questions: kindQuestions }, 'Two questions first.');
  if (asked.kind !== 'done')
    return 'All right. Tell me which values you need, for example “add invoice number, date and total”.';
  const { kind, manyRows } = readKindAnswers(asked.value);
  if (kind === null) return 'Then tell me which values you need, for example “add customer, date and total”.';
  const batch = proposeMissing(columnsOfKind(kind), conversation, `the usual values of ${kindName(kind)}s`);
  if (typeof batch === 'string' || !manyRows) return batch;
  return { ...batch, calls: [...batch.calls, multiRowCall(true)] };
}

/** Proposes columns for the values on a document of the workspace. */
export function* columnsOfDocument(
  named: Record<string, unknown>,
  conversation: RuleInput,
): BatchSteps<Batch | string> {
  const read = yield* use('analyze_document', named);
  if (read.kind !== 'done') return describeRefusal('read that document', read);
  const text = typeof read.value['text'] === 'string' ? read.value['text'] : '';
  const document = readDocument(text, 'first');
  if (!document) return 'I could not find any text in that document.';
  const { kind, schema } = proposeSchema(document);
  return proposeMissing(columnsOfFields(schema.properties), conversation, `the values on this ${kindName(kind)}`);
}

/** The calls whose columns do not exist yet. `purpose` completes “columns for …”. */
function proposeMissing(calls: Call[], conversation: RuleInput, purpose: string): Batch | string {
  const existing = new Set(currentColumns(conversation).map(({ name }) => name.toLowerCase()));
  const missing = calls.filter((call) => !existing.has(String(call.arguments['name']).toLowerCase()));
  if (calls.length === 0) return `I found no values to make columns of. Tell me which ones you need.`;
  if (missing.length === 0) return `All columns for ${purpose} exist already. Say what you want changed.`;
  return {
    text: `I suggest ${missing.length} column${missing.length === 1 ? '' : 's'} for ${purpose}.`,
    calls: missing,
  };
}

export function multiRowCall(enabled: boolean): Call {
  return { name: 'set_multi_row_mode', arguments: { enabled } };
}

/** The questions for a conversation that does not name the kind of document. */
const kindQuestions = [
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

const answerList = z.object({
  answers: z.array(
    z.looseObject({
      question_id: z.string(),
      option_ids: z.array(z.string()).default([]),
      other: z.string().optional(),
    }),
  ),
});

/** Reads the answers, which the page sends as objects and a user can also type as text. */
function readKindAnswers(value: Record<string, unknown>): { kind: ProposedKind | null; manyRows: boolean } {
  const read = answerList.safeParse(value);
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
