import type { Task, TaskToolCall } from '@docwright/contract';
import { isRecord } from '../../shared/http/json-value.ts';
import { dueWords } from './due-labels.ts';

/** A call in words, for the record of what a message did. */
export interface CallWords {
  state: 'done' | 'failed';
  words: string;
  /** What was deleted, so that it can be put back. */
  deleted?: Pick<Task, 'title' | 'description' | 'due_at' | 'document_id'>;
}

const verbs: Record<string, [done: string, failed: string]> = {
  add_task: ['Added', 'Could not add'],
  complete_task: ['Completed', 'Could not complete'],
  update_task: ['Changed', 'Could not change'],
  delete_task: ['Deleted', 'Could not delete'],
};

export function callWords({ tool_name, arguments: args, result }: TaskToolCall): CallWords {
  const value = isRecord(result) ? result : {};
  const state = 'error' in value ? 'failed' : 'done';
  if (tool_name === 'list_tasks') {
    const count = Number(value['total_count'] ?? 0);
    const words =
      state === 'failed'
        ? 'Could not look at the list'
        : `Looked at the list: ${count === 1 ? '1 task' : `${count} tasks`}`;
    return { state, words };
  }
  const [done, failed] = verbs[tool_name] ?? [tool_name, `Could not run ${tool_name}`];
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : undefined);
  const title = text('title') ?? (typeof args['title'] === 'string' ? args['title'] : undefined);
  const named = title === undefined ? ' a task' : ` “${title}”`;
  if (state === 'failed') return { state, words: `${failed}${named}` };
  const due = text('due_at');
  const reopened = tool_name === 'update_task' && args['is_completed'] === false;
  const moved =
    due !== undefined && tool_name !== 'delete_task' && args['due_at']
      ? `, due ${dueWords(due).replace(/^To/u, 'to')}`
      : '';
  const words = `${reopened ? 'Opened again' : done}${named}${moved}`;
  if (tool_name !== 'delete_task' || title === undefined) return { state, words };
  const [description, document_id] = [text('description'), text('document_id')];
  const deleted = {
    title,
    ...(description === undefined ? {} : { description }),
    ...(due === undefined ? {} : { due_at: due }),
    ...(document_id === undefined ? {} : { document_id }),
  };
  return { state, words, deleted };
}
