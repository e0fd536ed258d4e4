import type { TaskToolCall, Task } from '@docwright/contract';
import { createTask, tasksKey } from './tasks-api.ts';
import { CallLine, CallList } from '../../agent-ui/call-list.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useTaskOwner } from './use-task-owner.ts';
import { isRecord } from '../../shared/http/json-value.ts';
import { dueLabel } from './due-labels.ts';
import { counted } from '../../shared/formats/counted.ts';
import { useChange } from '../../shared/page/use-change.ts';

/** Lists the calls that a message caused. */
export function TaskCalls({ calls }: { calls: readonly TaskToolCall[] }) {
  const { canWrite } = useSession();
  if (calls.length === 0) return null;
  return (
    <CallList>
      {calls.map(callLabel).map(({ deleted, ...call }, at) => (
        <CallLine key={at} {...call} aside={deleted && canWrite && <RestoreTask task={deleted} />} />
      ))}
    </CallList>
  );
}

/** Creates a deleted task again, with the same content. */
function RestoreTask({ task }: { task: NonNullable<CallLabel['deleted']> }) {
  const owner = useTaskOwner();
  const restoring = useChange(() => createTask(owner, task), {
    refreshes: [tasksKey(owner)],
    says: `“${task.title}” is back on your list.`,
    showsError: true,
  });
  return (
    <Button
      size="small"
      look="quiet"
      aria-label={`Restore “${task.title}”`}
      disabled={restoring.isPending || restoring.isSuccess}
      onClick={() => restoring.mutate()}
    >
      Restore
    </Button>
  );
}

/** A call described for the list. */
interface CallLabel {
  state: 'done' | 'failed';
  label: string;
  /** The deleted task, so that it can be created again. */
  deleted?: Pick<Task, 'title' | 'description' | 'due_at' | 'document_id'>;
}

const verbs: Record<string, [done: string, failed: string]> = {
  add_task: ['Added', 'Could not add'],
  complete_task: ['Completed', 'Could not complete'],
  update_task: ['Changed', 'Could not change'],
  delete_task: ['Deleted', 'Could not delete'],
};

function callLabel({ tool_name, arguments: args, result }: TaskToolCall): CallLabel {
  const value = isRecord(result) ? result : {};
  const state = 'error' in value ? 'failed' : 'done';
  if (tool_name === 'list_tasks') {
    const count = Number(value['total_count'] ?? 0);
    const label = state === 'failed' ? 'Could not read the list' : `Read the list: ${counted(count, 'task')}`;
    return { state, label };
  }
  const [done, failed] = verbs[tool_name] ?? [tool_name, `Could not run ${tool_name}`];
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : undefined);
  const title = text('title') ?? (typeof args['title'] === 'string' ? args['title'] : undefined);
  const named = title === undefined ? ' a task' : ` “${title}”`;
  if (state === 'failed') return { state, label: `${failed}${named}` };
  const due = text('due_at');
  const reopened = tool_name === 'update_task' && args['is_completed'] === false;
  const moved =
    due !== undefined && tool_name !== 'delete_task' && args['due_at']
      ? `, due ${dueLabel(due).replace(/^To/u, 'to')}`
      : '';
  const label = `${reopened ? 'Opened again' : done}${named}${moved}`;
  if (tool_name !== 'delete_task' || title === undefined) return { state, label };
  const [description, document_id] = [text('description'), text('document_id')];
  const deleted = {
    title,
    ...(description === undefined ? {} : { description }),
    ...(due === undefined ? {} : { due_at: due }),
    ...(document_id === undefined ? {} : { document_id }),
  };
  return { state, label, deleted };
}
