import type { Call } from '../call.ts';
import type { Conversation, Outcome } from '../plan/conversation.ts';
import type { Plan } from '../plan/plan.ts';
import { plainText } from '../plan/plain-text.ts';
import { exampleList, smallTalkIn } from './task-talk.ts';
import { findTasks, type ListedTask } from './find-task.ts';
import { documentNamed } from './named-document.ts';
import { agrees, readAnswer } from './read-answer.ts';
import { couldNot, done, taskLines, whichOne, whenDue } from './task-words.ts';
import type { TaskRequest } from './task-request.ts';

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
