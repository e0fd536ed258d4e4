import type { RuleInput } from '../conversation/conversation.ts';
import { plainText } from '../conversation/markdown.ts';
import type { Outcome } from '../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../conversation/plan.ts';
import { answerSmallTalk, describeNotUnderstood, type SmallTalk } from '../conversation/small-talk.ts';
import { fold } from '../page/fold.ts';
import type { Call } from '../protocol/answer.ts';
import { findTasks, type ListedTask } from './find-task.ts';
import { askWhich, describeDone, describeDueDate, describeFailure, taskList } from './task-messages.ts';
import type { TaskRequest } from './task-request.ts';
import { taskRequestsIn } from './task-requests.ts';

const smallTalk: SmallTalk = {
  greeting:
    /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)(?:\s+there)?|good (?:morning|day|evening)|help(?: me)?|who are you|what (?:can|are|do) you(?: do)?)\W*$/iu,
  thanks: /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice|well done)(?:\s+\p{L}+){0,3}\W*$/iu,
  refusal: /^\W*(?:never ?mind|forget it|no(?: thanks?)?|stop|nothing|leave it|none)(?:\s+\p{L}+){0,2}\W*$/iu,
  abilities: 'I keep your to-do list and understand requests such as:',
  examples: [
    'add a task to check the March invoice by Friday',
    'add tasks: scan the receipts, call the bank tomorrow',
    'what is due this week?',
    'mark the invoice as done',
    'move the call to Monday',
    'rename “scan the receipts” to “scan all receipts”',
    'delete the call',
  ],
};

/** Whether the request is about a to-do list, without a document. */
export function keepsTasks({ tools }: RuleInput): boolean {
  return tools.has('add_task') && !tools.has('run_extraction');
}

/** A call with the title of its task, so that the summary can name the task. */
interface TaskCall extends Call {
  title: string;
}

type ListRequest = Extract<TaskRequest, { kind: 'list' }>;

/** How one request is answered: by calls, by a message, or by a list of tasks. */
type Prepared = { calls: TaskCall[] } | { message: string } | { list: ListRequest };

/** Carries out all requests of the last message: finds the tasks, makes all changes in one batch, and summarizes. */
export function* planTasks(conversation: RuleInput): PlanOfSteps {
  const { request, system } = conversation;
  const today = /^Today is \w+, (\d{4}-\d{2}-\d{2})/mu.exec(system)?.[1] ?? '1970-01-01';
  if (acceptsOffer(conversation)) return yield* listTasks({ kind: 'list', status: 'all' });
  const talk = answerSmallTalk(request, smallTalk);
  if (talk !== undefined) return talk;
  const requests = readRequests(conversation, today);
  if (requests.every(({ kind }) => kind === 'unclear')) return describeNotUnderstood(smallTalk);
  let tasks: ListedTask[] = [];
  if (requests.some(({ kind }) => kind !== 'add' && kind !== 'list' && kind !== 'unclear')) {
    const read = yield* readTasks({});
    if (typeof read === 'string') return read;
    tasks = read;
  }
  const prepared = requests.map((each) => prepare(each, tasks, conversation));
  const calls = prepared.flatMap((each) => ('calls' in each ? each.calls : []));
  const outcomes =
    calls.length > 0
      ? yield { text: '', calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })) }
      : [];
  const messages: string[] = [];
  for (const each of prepared) {
    if ('message' in each) messages.push(each.message);
    else if ('calls' in each) messages.push(...each.calls.map((call) => describe(call, outcomes[calls.indexOf(call)])));
    else messages.push(yield* listTasks(each.list));
  }
  return messages.join('\n\n');
}

/** All tasks, or a message when they cannot be read. */
function* readTasks(filter: Record<string, unknown>): BatchSteps<ListedTask[] | string> {
  const outcome = yield* use('list_tasks', { ...filter, limit: 100 });
  if (outcome.kind !== 'done') return describeFailure('look at your tasks', outcome);
  return Array.isArray(outcome.value.tasks) ? (outcome.value.tasks as ListedTask[]) : [];
}

function* listTasks({ status, from, until }: ListRequest): PlanOfSteps {
  const tasks = yield* readTasks({ status });
  if (typeof tasks === 'string') return tasks;
  const wanted = tasks.filter(({ due_at: due }) => {
    const day = due?.slice(0, 10);
    return until === undefined || (day !== undefined && day <= until && (from === undefined || day >= from));
  });
  return taskList(wanted, { status, isBounded: until !== undefined });
}

function prepare(request: TaskRequest, tasks: readonly ListedTask[], conversation: RuleInput): Prepared {
  if (request.kind === 'list') return { list: request };
  if (request.kind === 'unclear') return { message: `I did not understand “${plainText(request.text)}”.` };
  if (request.kind === 'add') return prepareAdd(request, conversation);
  if (tasks.length === 0) return { message: 'There is nothing on your list.' };
  const found = findTasks(request.reference, tasks, conversation.lastAnswer);
  if (found.kind === 'none') {
    const reference = plainText(request.reference);
    return { message: `There is no task “${reference}” on your list. Shall I show you what is there?` };
  }
  if (found.kind === 'several') return { message: askWhich(request, found.tasks) };
  if (request.kind === 'when') return { message: found.tasks.map(describeDueDate).join('\n') };
  const affected = request.kind === 'complete' ? found.tasks.filter(({ is_completed }) => !is_completed) : found.tasks;
  if (affected.length === 0)
    return { message: found.tasks.map(({ title }) => `“${plainText(title)}” is done already.`).join('\n\n') };
  return { calls: affected.map((task) => callFor(request, task)) };
}

function prepareAdd(
  { title, due, description }: Extract<TaskRequest, { kind: 'add' }>,
  { system }: RuleInput,
): Prepared {
  if (title === '') return { message: 'What is to be done?' };
  const document_id = documentNamedIn(title, system);
  const args = {
    title: title.slice(0, 300),
    ...(description && { description }),
    ...(due && { due_at: due }),
    ...(document_id && { document_id }),
  };
  return { calls: [{ name: 'add_task', title, arguments: args }] };
}

function callFor(
  request: Extract<TaskRequest, { kind: 'complete' | 'delete' | 'update' }>,
  { id, title }: ListedTask,
): TaskCall {
  const change = request.kind === 'update' ? request.change : {};
  return { name: `${request.kind}_task`, title, arguments: { task_id: id, ...change } };
}

const verbs: Record<string, string> = {
  add_task: 'add',
  complete_task: 'complete',
  update_task: 'change',
  delete_task: 'delete',
};

function describe(call: TaskCall, outcome: Outcome | undefined): string {
  return outcome?.kind === 'done'
    ? describeDone(call, outcome.value)
    : describeFailure(`${verbs[call.name]} “${plainText(call.title)}”`, outcome);
}

const documentLine = /^- "(?<name>.+)" \(document_id (?<id>[\da-f]{24})\)$/gmu;
const minNameLength = 4;

/** The id of the document that a title names, with or without its file extension, among those of the system prompt. */
function documentNamedIn(title: string, system: string): string | undefined {
  const folded = fold(title);
  for (const { groups } of system.matchAll(documentLine)) {
    const name = fold(groups?.name ?? '');
    const bare = name.replace(/\.[a-z\d]{2,5}$/u, '');
    if (bare.length >= minNameLength && (folded.includes(name) || folded.includes(bare))) return groups?.id;
  }
  return undefined;
}

/** The questions in the messages above and in `askWhich`, by which a following message is read as an answer. */
const whichQuestion = /Which one shall I (?<verb>mark as done|delete|change|look at)\?/u;
const listOffer = /Shall I show you what is there\?$/u;
const titleQuestion = /What is to be done\?$/u;
const agreement = /^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please|do(?: it)?|show me)\b.{0,20}$/iu;

/** Whether the user accepts the offer to show the list. */
function acceptsOffer({ request, lastAnswer }: RuleInput): boolean {
  return listOffer.test(lastAnswer) && agreement.test(request);
}

/** The requests in a message. An answer to a question of the model completes the earlier request. */
function readRequests({ request, previousRequest, lastAnswer }: RuleInput, today: string): TaskRequest[] {
  const requests = taskRequestsIn(request, today);
  const couldBeAnswer = requests.length === 1 && (requests[0]?.kind === 'unclear' || requests[0]?.kind === 'add');
  if (!couldBeAnswer) return requests;
  const reference = request.trim().replace(/[.!?]+$/u, '');
  if (titleQuestion.test(lastAnswer)) return taskRequestsIn(`add a task to ${reference}`, today);
  const verb = whichQuestion.exec(lastAnswer)?.groups?.verb;
  if (verb === undefined || (requests[0]?.kind === 'add' && /^(?:add|create|remind|new|note)\b/iu.test(reference)))
    return requests;
  if (verb === 'mark as done') return [{ kind: 'complete', reference }];
  if (verb === 'delete') return [{ kind: 'delete', reference }];
  if (verb === 'look at') return [{ kind: 'when', reference }];
  const change = taskRequestsIn(previousRequest, today).find((each) => each.kind === 'update');
  return change ? [{ ...change, reference }] : requests;
}
