import type { Call } from '../call.ts';
import type { Conversation, Outcome } from '../plan/conversation.ts';
import type { Plan } from '../plan/plan.ts';
import { plainText } from '../plan/plain-text.ts';
import { findTasks, type ListedTask } from './find-task.ts';
import { couldNot, done, taskLines, whichOne, whenDue } from './task-words.ts';
import type { TaskRequest } from './task-request.ts';
import { fold } from '../page/fold.ts';
import { taskRequestsIn } from './task-requests.ts';

/** Whether the request is about a to-do list, without a document. */
export function isTaskAgent({ tools }: Conversation): boolean {
  return tools.has('add_task') && !tools.has('run_extraction');
}

/** A call with the task that it is for, so that the summary can name the task. */
interface TaskCall extends Call {
  title: string;
}

/** The calls for one request, or a message instead. */
type Prepared = { calls: TaskCall[] } | { words: string } | { list: Extract<TaskRequest, { kind: 'list' }> };

/** Executes all requests of the last message: finds the tasks, makes the calls together, and summarizes. */
export function* planTasks(conversation: Conversation): Plan {
  const today = /^Today is \w+, (\d{4}-\d{2}-\d{2})/mu.exec(conversation.system)?.[1] ?? '1970-01-01';
  if (agrees(conversation)) return yield* listed({ kind: 'list', status: 'all' });
  const talk = smallTalkIn(conversation.request);
  if (talk !== undefined) return talk;
  const requests = readAnswer(conversation, today);
  if (requests.every(({ kind }) => kind === 'unclear')) {
    return `I did not understand that. I am the built-in demo model: fixed rules, not a language model. I understand requests such as:\n${exampleList()}`;
  }
  let tasks: ListedTask[] = [];
  if (requests.some(({ kind }) => kind !== 'add' && kind !== 'list' && kind !== 'unclear')) {
    const [outcome] = yield { say: '', calls: [{ name: 'list_tasks', arguments: { limit: 100 } }] };
    if (outcome?.kind !== 'done') return couldNot('look at your tasks', outcome);
    tasks = tasksOf(outcome);
  }
  const prepared = requests.map((request) => prepare(request, tasks, conversation));
  const calls = prepared.flatMap((each) => ('calls' in each ? each.calls : []));
  const outcomes =
    calls.length > 0
      ? yield { say: '', calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })) }
      : [];
  const said: string[] = [];
  for (const each of prepared) {
    if ('words' in each) said.push(each.words);
    else if ('calls' in each) said.push(...each.calls.map((call) => told(call, outcomes[calls.indexOf(call)])));
    else said.push(yield* listed(each.list));
  }
  return said.join('\n\n');
}

function* listed({ status, from, until }: Extract<TaskRequest, { kind: 'list' }>): Plan {
  const [outcome] = yield { say: '', calls: [{ name: 'list_tasks', arguments: { status, limit: 100 } }] };
  if (outcome?.kind !== 'done') return couldNot('look at your tasks', outcome);
  const wanted = tasksOf(outcome).filter(({ due_at: due }) => {
    const day = due?.slice(0, 10);
    return until === undefined || (day !== undefined && day <= until && (from === undefined || day >= from));
  });
  return taskLines(wanted, { status, isBounded: until !== undefined });
}

function prepare(request: TaskRequest, tasks: readonly ListedTask[], conversation: Conversation): Prepared {
  if (request.kind === 'list') return { list: request };
  if (request.kind === 'unclear') return { words: `I did not understand “${plainText(request.text)}”.` };
  if (request.kind === 'add') {
    const { title, due, description } = request;
    if (title === '') return { words: 'What is to be done?' };
    const document_id = documentNamed(title, conversation.system);
    const args = {
      title: title.slice(0, 300),
      ...(description && { description }),
      ...(due && { due_at: due }),
      ...(document_id && { document_id }),
    };
    return { calls: [{ name: 'add_task', title, arguments: args }] };
  }
  const found = findTasks(request.reference, tasks, conversation.lastAnswer);
  if (tasks.length === 0) return { words: 'There is nothing on your list.' };
  if (found.kind === 'none') {
    return {
      words: `There is no task “${plainText(request.reference)}” on your list. Shall I show you what is there?`,
    };
  }
  if (found.kind === 'which') return { words: whichOne(request, found.among) };
  if (request.kind === 'when') return { words: found.tasks.map(whenDue).join('\n') };
  const left = request.kind === 'complete' ? found.tasks.filter(({ is_completed }) => !is_completed) : found.tasks;
  if (left.length === 0)
    return { words: found.tasks.map(({ title }) => `“${plainText(title)}” is done already.`).join('\n\n') };
  return { calls: left.map((task) => callFor(request, task)) };
}

function callFor(
  request: Extract<TaskRequest, { kind: 'complete' | 'delete' | 'update' }>,
  task: ListedTask,
): TaskCall {
  const task_id = task.id;
  const change = request.kind === 'update' ? request.change : {};
  return { name: `${request.kind}_task`, title: task.title, arguments: { task_id, ...change } };
}

function told(call: TaskCall, outcome: Outcome | undefined): string {
  return outcome?.kind === 'done'
    ? done(call, outcome.value)
    : couldNot(`${verbs[call.name]} “${plainText(call.title)}”`, outcome);
}

const verbs: Record<string, string> = {
  add_task: 'add',
  complete_task: 'complete',
  update_task: 'change',
  delete_task: 'delete',
};

function tasksOf({ value }: Extract<Outcome, { kind: 'done' }>): ListedTask[] {
  return Array.isArray(value.tasks) ? (value.tasks as ListedTask[]) : [];
}

const documentLine = /^- "(?<name>.+)" \(document_id (?<id>[\da-f]{24})\)$/gmu;
const shortestName = 4;

/** The document named in a title, with or without its file extension, among those that the model knows. */
function documentNamed(title: string, system: string): string | undefined {
  const folded = fold(title);
  for (const { groups } of system.matchAll(documentLine)) {
    const name = fold(groups?.name ?? '');
    const bare = name.replace(/\.[a-z\d]{2,5}$/u, '');
    if (bare.length >= shortestName && (folded.includes(name) || folded.includes(bare))) return groups?.id;
  }
  return undefined;
}

const question = /Which one shall I (?<verb>mark as done|delete|change|look at)\?/u;
const offer = /Shall I show you what is there\?$/u;
const agreement = /^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please|do(?: it)?|show me)\b.{0,20}$/iu;
const titleQuestion = /What is to be done\?$/u;

/** Whether the user wants to see the offered list. */
function agrees({ request, lastAnswer }: Conversation): boolean {
  return offer.test(lastAnswer) && agreement.test(request);
}

/** The requests in a message. An answer to the model's question includes the earlier request. */
function readAnswer({ request, previousRequest, lastAnswer }: Conversation, today: string): TaskRequest[] {
  const requests = taskRequestsIn(request, today);
  const isAnswer = requests.length === 1 && (requests[0]?.kind === 'unclear' || requests[0]?.kind === 'add');
  if (!isAnswer) return requests;
  const reference = request.trim().replace(/[.!?]+$/u, '');
  if (titleQuestion.test(lastAnswer)) return taskRequestsIn(`add a task to ${reference}`, today);
  const verb = question.exec(lastAnswer)?.groups?.verb;
  if (verb === undefined || (requests[0]?.kind === 'add' && /^(?:add|create|remind|new|note)\b/iu.test(reference)))
    return requests;
  if (verb === 'mark as done') return [{ kind: 'complete', reference }];
  if (verb === 'delete') return [{ kind: 'delete', reference }];
  if (verb === 'look at') return [{ kind: 'when', reference }];
  const change = taskRequestsIn(previousRequest, today).find((each) => each.kind === 'update');
  return change ? [{ ...change, reference }] : requests;
}

const examples = [
  'add a task to check the March invoice by Friday',
  'add tasks: scan the receipts, call the bank tomorrow',
  'what is due this week?',
  'mark the invoice as done',
  'move the call to Monday',
  'rename “scan the receipts” to “scan all receipts”',
  'delete the call',
];

function exampleList(): string {
  return examples.map((example) => `- ${example}`).join('\n');
}

const greeting =
  /^\W*(?:(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)(?:\s+there)?|good (?:morning|day|evening)|help(?: me)?|who are you|what (?:can|are|do) you(?: do)?)\W*$/iu;
const thanks = /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|good|nice|well done)(?:\s+\p{L}+){0,3}\W*$/iu;
const refusal = /^\W*(?:never ?mind|forget it|no(?: thanks?)?|stop|nothing|leave it|none)(?:\s+\p{L}+){0,2}\W*$/iu;

/** Answers a greeting, thanks or a refusal; undefined for any other message. */
function smallTalkIn(request: string): string | undefined {
  if (request.trim() === '' || greeting.test(request)) {
    return `Hello. I am the built-in demo model: fixed rules, not a language model. I keep your to-do list and understand requests such as:\n${exampleList()}`;
  }
  if (thanks.test(request)) return 'You are welcome.';
  return refusal.test(request) ? 'All right, I leave everything as it is.' : undefined;
}
