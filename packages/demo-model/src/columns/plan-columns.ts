import type { Call } from '../call.ts';
import { wordsOf } from '../page/fold.ts';
import { readDocument } from '../page/document-text.ts';
import type { Conversation, Outcome, Step } from '../plan/conversation.ts';
import { bold } from '../plan/plain-text.ts';
import { type Plan, use } from '../plan/plan.ts';
import { stopped } from '../plan/stopped.ts';
import { kindName } from '../propose/document-kind.ts';
import { proposeSchema } from '../propose/propose-schema.ts';
import { kindQuestions, readKindAnswers } from './kind-questions.ts';
import { columnRequestIn, type ColumnRequest } from './column-requests.ts';
import { columnsNow, columnNamed, listsNow, type KnownColumn } from './known-columns.ts';
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
      return editCalls(wanted, columnsNow(conversation), listsNow(conversation), conversation.request);
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

const examples = [
  'I need to extract invoice data',
  'add customer number and delivery date',
  'rename Total to Amount due',
  'change the type of quantity to number',
  'allowed values of status: open, paid, late',
  'remove the IBAN',
  'turn on multi row mode',
  'analyze “march.pdf”',
];

const sentence = 'I am the built-in demo model: fixed rules, not a language model.';
const greeting =
  /^\W*(?:hi|hello|hey|hallo|bonjour|hola|ciao|good (?:morning|day|evening)|help|who are you|what (?:can|are|do) you)\b/iu;
const thanks = /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice)\b.{0,30}$/iu;
const refusal = /^\W*(?:never ?mind|forget it|no|stop|nothing|leave it)\b.{0,30}$/iu;

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
function smallTalkAboutColumns(request: string): string | undefined {
  if (request.trim() === '' || greeting.test(request)) {
    return `Hello. ${sentence} I design the columns of a schema with you and understand requests such as:\n${exampleList()}`;
  }
  if (thanks.test(request)) return 'You are welcome.';
  return refusal.test(request) ? 'All right, I leave everything as it is.' : undefined;
}

/** The answer to a request that no rule matches. */
function columnTalk(): string {
  return `I did not understand that. ${sentence} I understand requests such as:\n${exampleList()}`;
}

function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}

const changing = new Set([
  'add_column',
  'edit_column',
  'remove_column',
  'update_project_description',
  'set_multi_row_mode',
  'set_feature_flags',
]);

/** The changes decided since the last message. */
function decidedSteps({ steps }: Conversation): Step[] {
  return steps.filter(({ name }) => changing.has(name));
}

/** A summary of the executed, rejected and failed changes. */
function changesTold(steps: readonly Step[]): string {
  const named = (kind: Step['outcome']['kind']) => steps.filter(({ outcome }) => outcome.kind === kind);
  const done = named('done').map(told);
  const declined = named('rejected').map(told);
  const failed = steps.flatMap((step) =>
    step.outcome.kind === 'failed' ? [`${told(step)}: ${step.outcome.error}`] : [],
  );
  if (done.length === 0 && failed.length === 0)
    return 'You declined it, so I changed nothing. What shall be different?';
  return [
    ...(done.length > 0 ? [`Done: ${done.join(', ')}.`] : []),
    ...(declined.length > 0 ? [`Left out, as you declined: ${declined.join(', ')}.`] : []),
    ...failed.map((failure) => `I could not ${failure}`),
    'Say what else you want changed, or save the schema.',
  ].join('\n\n');
}

function told({ name, arguments: args, outcome }: Step): string {
  const result = outcome.kind === 'done' ? outcome.value : {};
  switch (name) {
    case 'add_column':
      return `add ${bold(String(args['name']))}`;
    case 'edit_column':
      return `change ${bold(nameIn(result['changed']) ?? 'a column')}`;
    case 'remove_column':
      return `remove ${bold(nameIn(result['removed']) ?? 'a column')}`;
    case 'set_multi_row_mode':
      return args['enabled'] === true ? 'take many rows' : 'take one row';
    case 'update_project_description':
      return 'describe the project';
    default:
      return 'set the flags';
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
}

/** The calls for changes to columns, or a message when no such column exists. */
function editCalls(
  wanted: Extract<ColumnRequest, { kind: 'edits' | 'type' | 'values' }>,
  own: readonly KnownColumn[],
  lists: readonly { name: string; columns: readonly KnownColumn[] }[],
  request: string,
): { say: string; calls: Call[] } | string {
  const columns = [...own, ...lists.flatMap((list) => list.columns)];
  const words = ` ${wordsOf(request)} `;
  const table = lists.find(({ name }) =>
    ['to', 'into'].some((to) => words.replace(/ (?:the|list)(?= )/gu, '').includes(` ${to} ${wordsOf(name)} `)),
  )?.name;
  const prepared =
    wanted.kind === 'edits' ? wanted.edits.map((edit) => callFor(edit, columns, table)) : [updateFor(wanted, columns)];
  const calls = prepared.filter((each) => typeof each !== 'string');
  const unknown = prepared.filter((each) => typeof each === 'string');
  if (calls.length === 0) return unknown.join(' ');
  return { say: ['I change it as you say.', ...unknown].join(' '), calls };
}

type Edit = Extract<ColumnRequest, { kind: 'edits' }>['edits'][number];

function callFor(edit: Edit, columns: readonly KnownColumn[], table: string | undefined): Call | string {
  if (edit.kind === 'add') {
    const field = edit.field.replace(/ (?:to|into) (?:the )?(?:list )?(.+)$/iu, (whole, said: string) =>
      table !== undefined && wordsOf(said) === wordsOf(table) ? '' : whole,
    );
    const call = columnCall(field, edit.type);
    return table === undefined ? call : { ...call, arguments: { ...call.arguments, table } };
  }
  const column = columnNamed(edit.field, columns);
  if (!column) return notFound(edit.field, columns);
  if (edit.kind === 'drop') return { name: 'remove_column', arguments: { columnId: column.id } };
  return { name: 'edit_column', arguments: { columnId: column.id, updates: { name: edit.to } } };
}

function updateFor(
  wanted: Extract<ColumnRequest, { kind: 'type' | 'values' }>,
  columns: readonly KnownColumn[],
): Call | string {
  const column = columnNamed(wanted.column, columns);
  if (!column) return notFound(wanted.column, columns);
  const updates =
    wanted.kind === 'type' ? { type: wanted.type } : { allowedValues: wanted.values.map(quoted).join(', ') };
  return { name: 'edit_column', arguments: { columnId: column.id, updates } };
}

function quoted(value: string): string {
  return /["\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function notFound(name: string, columns: readonly KnownColumn[]): string {
  const there = columns.map((column) => bold(column.name)).join(', ');
  return `I find no column called ${bold(name)}. ${there === '' ? 'There are none yet.' : `There are: ${there}.`}`;
}
