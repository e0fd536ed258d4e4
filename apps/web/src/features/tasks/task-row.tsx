import type { Task } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarDays, FileText, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { deleteTask, tasksKey, updateTask } from './tasks-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { dueLabel, dueMoment, dueState, type DueState } from './due-labels.ts';
import { TaskDialog } from './task-dialog.tsx';
import { useTaskOwner } from './use-task-owner.ts';

const dueLook: Record<DueState, string> = { overdue: 'text-bad', today: 'text-warn', later: '' };

/** A task with its check box, due date and document. */
export function TaskRow({ task }: { task: Task }) {
  const { canWrite } = useSession();
  const owner = useTaskOwner();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: tasksKey(owner) });
  const ticking = useMutation({
    mutationFn: (is_completed: boolean) => updateTask(owner, task.id, { is_completed }),
    onSuccess: ({ is_completed }) => toast(`“${task.title}” is ${is_completed ? 'done' : 'open again'}.`),
    onError: (error) => toast(messageOf(error), 'bad'),
    onSettled: refresh,
  });
  const isDone = ticking.isPending ? ticking.variables : task.is_completed;
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <input
        type="checkbox"
        aria-label={`Done: ${task.title}`}
        checked={isDone}
        disabled={!canWrite || ticking.isPending}
        onChange={(event) => ticking.mutate(event.target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1">
        <p className={classNames('wrap-anywhere', isDone ? 'text-ink-soft line-through' : 'font-medium')}>
          {task.title}
        </p>
        {task.description !== undefined && (
          <p className="line-clamp-3 text-sm wrap-anywhere whitespace-pre-line text-ink-soft">{task.description}</p>
        )}
        <div className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-soft empty:hidden">
          {task.due_at !== undefined && <Due dueAt={task.due_at} isDone={isDone} />}
          {task.document_id !== undefined && <LinkedDocument documentId={task.document_id} />}
        </div>
      </div>
      {canWrite && (
        <span className="inline-flex shrink-0 gap-1">
          <IconButton label={`Edit ${task.title}`} onClick={() => setDialog('edit')}>
            <Pencil className="size-3.5" />
          </IconButton>
          <IconButton label={`Delete ${task.title}`} onClick={() => setDialog('delete')}>
            <Trash2 className="size-3.5" />
          </IconButton>
        </span>
      )}
      {dialog === 'edit' && <TaskDialog task={task} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete “${task.title}”?`}
          description="This deletes the task for good. Complete it instead to keep it in the list of done tasks."
          action="Delete"
          run={async () => {
            await deleteTask(owner, task.id);
            toast(`“${task.title}” is deleted.`);
            await refresh();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </li>
  );
}

function Due({ dueAt, isDone }: { dueAt: string; isDone: boolean }) {
  const state = isDone ? 'later' : dueState(dueAt);
  return (
    <time
      dateTime={dueAt}
      title={dueMoment(dueAt).toLocaleDateString()}
      className={classNames('inline-flex items-center gap-1', dueLook[state])}
    >
      <CalendarDays aria-hidden className="size-3.5" />
      {state === 'overdue' ? `Overdue: ${dueLabel(dueAt)}` : dueLabel(dueAt)}
    </time>
  );
}

function LinkedDocument({ documentId }: { documentId: string }) {
  const { orgId } = useSession();
  const { data } = useQuery({ ...documentQuery(orgId, documentId), staleTime: 60_000 });
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId }}
      className="inline-flex min-w-0 items-center gap-1 rounded-sm underline decoration-line-strong underline-offset-2 hover:text-ink"
    >
      <FileText aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{data?.document_name ?? 'Open the document'}</span>
    </Link>
  );
}
