import type { RuleInput, PastCall } from '../conversation/conversation.ts';
import { bold } from '../conversation/markdown.ts';
import { describeRefusal } from '../conversation/outcome.ts';
import { type Batch, type PlanOfSteps, type BatchSteps, use } from '../conversation/plan.ts';
import { answerSmallTalk, describeNotUnderstood, type SmallTalk } from '../conversation/small-talk.ts';
import { type ColumnRequest, columnRequestIn } from './column-requests.ts';
import { columnsOfDocument, designColumns, multiRowCall } from './design-columns.ts';
import { editColumns } from './edit-columns.ts';

/** The product's text beside an image that the user uploaded on request. */
const requestedImage = /^The image that was asked for:/u;

const smallTalk: SmallTalk = {
  greeting:
    /^\W*(?:hi|hello|hey|hallo|bonjour|hola|ciao|good (?:morning|day|evening)|help|who are you|what (?:can|are|do) you)\b/iu,
  thanks: /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice)\b.{0,30}$/iu,
  refusal: /^\W*(?:never ?mind|forget it|no|stop|nothing|leave it)\b.{0,30}$/iu,
  abilities: 'I design the columns of a schema with you and understand requests such as:',
  examples: [
    'I need to extract invoice data',
    'add customer number and delivery date',
    'rename Total to Amount due',
    'change the type of quantity to number',
    'allowed values of status: open, paid, late',
    'remove the IBAN',
    'turn on multi row mode',
    'analyze “march.pdf”',
  ],
};

/** Designs columns: one batch of changes for each request, and a summary after the user's decisions. */
export function* planColumns(conversation: RuleInput): PlanOfSteps {
  const { request, steps } = conversation;
  const decisions = describeDecisions(steps);
  if (decisions !== undefined) return decisions;
  if (requestedImage.test(request)) {
    return 'Thank you. I am fixed rules and cannot see images: tell me in words which values it shows, for example “add invoice number, date and total”.';
  }
  const wanted = columnRequestIn(request);
  if (wanted === undefined) return answerSmallTalk(request, smallTalk) ?? describeNotUnderstood(smallTalk);
  const batch = yield* batchFor(wanted, conversation);
  if (typeof batch === 'string') return batch;
  // Decided changes are described at the top, because the columns are others by then.
  yield batch;
  return 'All right. Tell me in words which values you need, for example “add invoice number, date and total”.';
}

/** The calls for a request, or a message instead. */
function* batchFor(wanted: ColumnRequest, conversation: RuleInput): BatchSteps<Batch | string> {
  switch (wanted.kind) {
    case 'design':
      return yield* designColumns(wanted, conversation);
    case 'document':
      return yield* columnsOfDocument(wanted.named, conversation);
    case 'show':
      return yield* showColumns();
    case 'image': {
      const message =
        'Please show me an example of the documents. I am fixed rules and cannot see what is on it, but a real model can.';
      return { text: '', calls: [{ name: 'request_example_image', arguments: { message } }] };
    }
    case 'rows': {
      const text = wanted.many ? 'Each document then gives many rows.' : 'Each document then gives one row.';
      return { text, calls: [multiRowCall(wanted.many)] };
    }
    case 'describe':
      return {
        text: 'I write that down as the description of the project.',
        calls: [{ name: 'update_project_description', arguments: { description: wanted.description } }],
      };
    default:
      return editColumns(wanted, conversation);
  }
}

function* showColumns(): PlanOfSteps {
  const read = yield* use('get_current_schema', {});
  if (read.kind !== 'done') return describeRefusal('read the columns', read);
  const columns = Array.isArray(read.value['columns'])
    ? (read.value['columns'] as { name: string; type: string }[])
    : [];
  if (columns.length === 0) return 'There are no columns yet. Tell me what kind of documents you have.';
  const rows = read.value['multiRowExtraction'] === true ? 'many rows' : 'one row';
  const lines = columns.map(({ name, type }) => `- ${bold(name)} (${type})`);
  return `There are ${columns.length} columns, ${rows} a document:\n${lines.join('\n')}`;
}

const changes = new Set([
  'add_column',
  'edit_column',
  'remove_column',
  'update_project_description',
  'set_multi_row_mode',
  'set_feature_flags',
]);

/** A summary of the changes that were made, rejected or failed since the last message; undefined when there are none. */
function describeDecisions(steps: readonly PastCall[]): string | undefined {
  const decided = steps.filter(({ name }) => changes.has(name));
  if (decided.length === 0) return undefined;
  const withOutcome = (kind: PastCall['outcome']['kind']) => decided.filter(({ outcome }) => outcome.kind === kind);
  const done = withOutcome('done').map(describeChange);
  const declined = withOutcome('rejected').map(describeChange);
  const failed = decided.flatMap((step) =>
    step.outcome.kind === 'failed' ? [`I could not ${describeChange(step)}: ${step.outcome.error}`] : [],
  );
  if (done.length === 0 && failed.length === 0)
    return 'You declined it, so I changed nothing. What should be different?';
  return [
    ...(done.length > 0 ? [`Done: ${done.join(', ')}.`] : []),
    ...(declined.length > 0 ? [`Left out, as you declined: ${declined.join(', ')}.`] : []),
    ...failed,
    'Say what else you want changed, or save the schema.',
  ].join('\n\n');
}

function describeChange({ name, arguments: args, outcome }: PastCall): string {
  const result = outcome.kind === 'done' ? outcome.value : {};
  switch (name) {
    case 'add_column':
      return `add ${bold(String(args['name']))}`;
    case 'edit_column':
      return `change ${bold(nameIn(result['changed']) ?? 'a column')}`;
    case 'remove_column':
      return `remove ${bold(nameIn(result['removed']) ?? 'a column')}`;
    case 'set_multi_row_mode':
      return args['enabled'] === true ? 'extract many rows' : 'extract one row';
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
