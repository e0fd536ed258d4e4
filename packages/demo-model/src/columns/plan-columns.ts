import type { Call } from '../call.ts';
import { readDocument } from '../page/document-text.ts';
import type { Conversation, Outcome } from '../plan/conversation.ts';
import { bold } from '../plan/plain-text.ts';
import { type Plan, use } from '../plan/plan.ts';
import { stopped } from '../plan/stopped.ts';
import { kindName } from '../propose/document-kind.ts';
import { proposeSchema } from '../propose/propose-schema.ts';
import { kindQuestions, readKindAnswers } from './kind-questions.ts';
import { columnRequestIn, type ColumnRequest } from './column-requests.ts';
import { columnTalk, smallTalkAboutColumns } from './column-talk.ts';
import { changesTold, decidedSteps } from './decided-changes.ts';
import { editCalls } from './edit-calls.ts';
import { columnsNow } from './known-columns.ts';
import { columnCall, columnsOfFields, columnsOfKind } from './new-column.ts';

/** The product's introduction of a requested image. */
const imageCame = /^The image that was asked for:/u;

/** Designs columns: one batch of changes for each request, and a summary after the decision. */
export function* planColumns(conversation: Conversation): Plan {
  const { request } = conversation;
  const decided = decidedSteps(conversation);
  if (decided.length > 0) return changesTold(decided);
  if (imageCame.test(request)) {
    return 'Thank you. I am fixed rules and cannot see images: tell me in words which values it shows, for example “add invoice number, date and total”.';
  }
  const wanted = columnRequestIn(request);
  if (wanted === undefined) return smallTalkAboutColumns(request) ?? columnTalk();
  const batch = yield* callsFor(wanted, conversation);
  if (typeof batch === 'string') return batch;
  // The results are not described here: after the decision the columns have changed, and the steps contain the results.
  yield batch;
  return 'All right. Tell me in words which values you need, for example “add invoice number, date and total”.';
}

type Batch = { say: string; calls: Call[] };

function* callsFor(wanted: ColumnRequest, conversation: Conversation): Generator<Batch, Batch | string, Outcome[]> {
  switch (wanted.kind) {
    case 'design':
      return yield* design(wanted, conversation);
    case 'document':
      return yield* fromDocument(wanted.named, conversation);
    case 'show':
      return yield* show();
    case 'image': {
      const message =
        'Please show me an example of the documents. I am fixed rules and cannot see what is on it, but a real model can.';
      return { say: '', calls: [{ name: 'request_example_image', arguments: { message } }] };
    }
    case 'rows': {
      const say = wanted.many ? 'Each document then gives many rows.' : 'Each document then gives one row.';
      return { say, calls: [{ name: 'set_multi_row_mode', arguments: { enabled: wanted.many } }] };
    }
    case 'describe':
      return {
        say: 'I write that down as the description of the project.',
        calls: [{ name: 'update_project_description', arguments: { description: wanted.description } }],
      };
    default:
      return editCalls(wanted, columnsNow(conversation));
  }
}

function* design(
  { of, names }: Extract<ColumnRequest, { kind: 'design' }>,
  conversation: Conversation,
): Generator<Batch, Batch | string, Outcome[]> {
  if (names.length > 0)
    return missing(
      names.map((name) => columnCall(name, null)),
      conversation,
      'the columns you named',
    );
  if (of !== null) return missing(columnsOfKind(of), conversation, `what ${kindName(of)}s usually say`);
  const asked = yield* use('ask_questions', { questions: kindQuestions }, 'Two things first.');
  if (asked.kind !== 'done')
    return 'All right. Tell me which values you need, for example “add invoice number, date and total”.';
  const { kind, manyRows } = readKindAnswers(asked.value);
  if (kind === null) return 'Then tell me which values you need, for example “add customer, date and total”.';
  const batch = missing(columnsOfKind(kind), conversation, `what ${kindName(kind)}s usually say`);
  if (typeof batch === 'string' || !manyRows) return batch;
  return { ...batch, calls: [...batch.calls, { name: 'set_multi_row_mode', arguments: { enabled: true } }] };
}

function* fromDocument(
  named: Record<string, unknown>,
  conversation: Conversation,
): Generator<Batch, Batch | string, Outcome[]> {
  const read = yield* use('analyze_document', named);
  if (read.kind !== 'done') return stopped('read that document', read);
  const text = typeof read.value['text'] === 'string' ? read.value['text'] : '';
  const document = readDocument(text, 'first');
  if (!document) return 'I could not find any text in that document.';
  const { kind, schema } = proposeSchema(document);
  return missing(columnsOfFields(schema.properties), conversation, `what stands on this ${kindName(kind)}`);
}

function* show(): Generator<Batch, string, Outcome[]> {
  const read = yield* use('get_current_schema', {});
  if (read.kind !== 'done') return stopped('read the columns', read);
  const columns = Array.isArray(read.value['columns'])
    ? (read.value['columns'] as { name: string; type: string }[])
    : [];
  if (columns.length === 0) return 'There are no columns yet. Tell me what kind of documents you have.';
  const rows = read.value['multiRowExtraction'] === true ? 'many rows' : 'one row';
  return `There are ${columns.length} columns, ${rows} a document:\n${columns.map(({ name, type }) => `- ${bold(name)} (${type})`).join('\n')}`;
}

/** The calls whose columns do not exist yet. */
function missing(calls: Call[], conversation: Conversation, what: string): Batch | string {
  const taken = new Set(columnsNow(conversation).map(({ name }) => name.toLowerCase()));
  const open = calls.filter((call) => !taken.has(String(call.arguments['name']).toLowerCase()));
  if (calls.length === 0) return `I found no values to make columns of. Tell me which ones you need.`;
  if (open.length === 0) return `The columns for ${what} are all there. Say what you want changed.`;
  return { say: `I suggest ${open.length} column${open.length === 1 ? '' : 's'} for ${what}.`, calls: open };
}
