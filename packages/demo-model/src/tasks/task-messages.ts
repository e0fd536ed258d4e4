import { bold, plainText } from '../conversation/markdown.ts';
import type { Outcome } from '../conversation/outcome.ts';
import type { Call } from '../protocol/answer.ts';
import { longDate } from './due-date.ts';
import type { ListedTask } from './find-task.ts';
import type { TaskRequest } from './task-request.ts';

const maxShown = 30;

/** Lists tasks in numbered lines, so that the next message can refer to a number. */
export function taskList(
  tasks: readonly ListedTask[],
  { status, isBounded }: { status: 'all' | 'open' | 'done'; isBounded: boolean },
): string {
  if (tasks.length === 0) return isBounded ? 'Nothing is due then.' : emptyList[status];
  const adjective = { all: '', open: 'open ', done: 'done ' }[status];
  const head = `You have ${tasks.length} ${adjective}${tasks.length === 1 ? 'task' : 'tasks'}${isBounded ? ' due' : ''}:`;
  const more = tasks.length > maxShown ? `\n\n… and ${tasks.length - maxShown} more.` : '';
  return `${head}\n${tasks.slice(0, maxShown).map(listLine).join('\n')}${more}`;
}

const emptyList = {
  all: 'There is nothing on your list.',
  open: 'Nothing is open on your list.',
  done: 'Nothing on your list is done yet.',
};

function listLine({ title, due_at, is_completed }: ListedTask, index: number): string {
  const due = due_at === undefined ? '' : ` – due ${longDate(due_at)}`;
  return `${index + 1}. ${bold(title)}${due}${is_completed ? ' – done' : ''}`;
}

export function describeDueDate({ title, due_at, is_completed }: ListedTask): string {
  const due = due_at === undefined ? 'has no due date' : `is due ${longDate(due_at)}`;
  return `“${plainText(title)}” ${due}${is_completed ? ' and is done already' : ''}.`;
}

/** Asks which task is meant, in the words by which `readRequests` recognizes the pending request. */
export function askWhich(request: Pick<TaskRequest, 'kind'>, tasks: readonly ListedTask[]): string {
  const verb = { complete: 'mark as done', delete: 'delete', when: 'look at' }[request.kind as 'complete'] ?? 'change';
  const open = request.kind === 'complete' ? tasks.filter(({ is_completed }) => !is_completed) : tasks;
  const choices = (open.length > 0 ? open : tasks).slice(0, maxShown);
  return `Which one shall I ${verb}?\n${choices.map(listLine).join('\n')}`;
}

/** Describes a successful call by its result. */
export function describeDone(call: Call & { title: string }, result: Record<string, unknown>): string {
  const name = `“${plainText(typeof result.title === 'string' ? result.title : call.title)}”`;
  const due = typeof result.due_at === 'string' ? longDate(result.due_at) : undefined;
  if (call.name === 'add_task') return `I have added ${name}${due === undefined ? '' : `, due ${due}`}.`;
  if (call.name === 'complete_task') return `${name} is done.`;
  if (call.name === 'delete_task') return `I have deleted ${name}.`;
  const { title, due_at, is_completed } = call.arguments;
  if (is_completed === false) return `${name} is open again.`;
  if (due_at === null) return `${name} has no due date any more.`;
  if (due_at !== undefined) return `${name} is due ${due} now.`;
  return title === undefined ? `I have changed ${name}.` : `“${plainText(call.title)}” is called ${name} now.`;
}

/** Describes a failure in the user's words, because a tool's error can be too technical. `step` completes “I could not …”. */
export function describeFailure(step: string, outcome: Outcome | undefined): string {
  const error = outcome?.kind === 'failed' ? outcome.error : '';
  if (/may only read/u.test(error)) return `I could not ${step}: you may only read in this organization.`;
  if (/not permitted/u.test(error)) return `I could not ${step}: a permission rule does not allow it.`;
  if (/no such task/u.test(error)) return `I could not ${step}: it is not on your list any more.`;
  return `I could not ${step}. Please try again.`;
}
