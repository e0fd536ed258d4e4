import type { Outcome } from '../plan/conversation.ts';
import { bold, plainText } from '../plan/plain-text.ts';
import { longDate } from './due-date.ts';
import type { ListedTask } from './find-task.ts';
import type { TaskRequest } from './task-request.ts';

const maxShown = 30;

/** A list of tasks in numbered lines, so that the next message can refer to a number. */
export function taskLines(
  tasks: readonly ListedTask[],
  { status, isBounded }: { status: 'all' | 'open' | 'done'; isBounded: boolean },
): string {
  if (tasks.length === 0) return isBounded ? 'Nothing is due then.' : nothing[status];
  const what = { all: '', open: 'open ', done: 'done ' }[status];
  const head = `You have ${tasks.length} ${what}${tasks.length === 1 ? 'task' : 'tasks'}${isBounded ? ' due' : ''}:`;
  const more = tasks.length > maxShown ? `\n\n… and ${tasks.length - maxShown} more.` : '';
  return `${head}\n${tasks.slice(0, maxShown).map(line).join('\n')}${more}`;
}

const nothing = {
  all: 'There is nothing on your list.',
  open: 'Nothing is open on your list.',
  done: 'Nothing on your list is done yet.',
};

function line({ title, due_at, is_completed }: ListedTask, at: number): string {
  const due = due_at === undefined ? '' : ` – due ${longDate(due_at)}`;
  return `${at + 1}. ${bold(title)}${due}${is_completed ? ' – done' : ''}`;
}

export function whenDue({ title, due_at, is_completed }: ListedTask): string {
  const due = due_at === undefined ? 'has no due date' : `is due ${longDate(due_at)}`;
  return `“${plainText(title)}” ${due}${is_completed ? ' and is done already' : ''}.`;
}

/** Asks which task is meant, in the words by which `readAnswer` recognizes the pending request. */
export function whichOne(request: Pick<TaskRequest, 'kind'>, among: readonly ListedTask[]): string {
  const verb = { complete: 'mark as done', delete: 'delete', when: 'look at' }[request.kind as 'complete'] ?? 'change';
  const open = request.kind === 'complete' ? among.filter(({ is_completed }) => !is_completed) : among;
  return `Which one shall I ${verb}?\n${(open.length > 0 ? open : among).slice(0, maxShown).map(line).join('\n')}`;
}

/** Describes a successful call. */
export function done(
  call: { name: string; title: string; arguments: Record<string, unknown> },
  result: Record<string, unknown>,
): string {
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

/** Describes a failure in the user's words, because a tool's error can be too technical. */
export function couldNot(what: string, outcome: Outcome | undefined): string {
  const error = outcome?.kind === 'failed' ? outcome.error : '';
  if (/may only read/u.test(error)) return `I could not ${what}: you may only read in this organization.`;
  if (/not permitted/u.test(error)) return `I could not ${what}: a permission rule does not allow it.`;
  if (/no such task/u.test(error)) return `I could not ${what}: it is not on your list any more.`;
  return `I could not ${what}. Please try again.`;
}
