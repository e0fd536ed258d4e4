import type { TaskToolCall } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../shared/http/api-error.ts';
import { createTask, tasksKey } from './tasks-api.ts';
import { CallStateIcon } from '../../agent-ui/call-state-badge.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { callWords, type CallWords } from './call-labels.ts';
import { useTaskOwner } from './use-task-owner.ts';

/** What a message did, a line for each call. */
export function TaskCalls({ calls }: { calls: readonly TaskToolCall[] }) {
  if (calls.length === 0) return null;
  return (
    <ul aria-label="What was done" className="flex flex-col rounded-md border border-line bg-raised py-0.5 text-sm">
      {calls.map((call, at) => (
        <CallLine key={at} call={callWords(call)} />
      ))}
    </ul>
  );
}

function CallLine({ call: { state, words, deleted } }: { call: CallWords }) {
  const { canWrite } = useSession();
  return (
    <li className="flex min-h-7 items-center gap-2 px-2.5 py-0.5">
      <CallStateIcon state={state} />
      <span className="min-w-0 flex-1 wrap-anywhere">{words}</span>
      {deleted && canWrite && <PutBack task={deleted} />}
    </li>
  );
}

/** A deleted task is gone on the server: put back, it is a new one of the same words. */
function PutBack({ task }: { task: NonNullable<CallWords['deleted']> }) {
  const owner = useTaskOwner();
  const queryClient = useQueryClient();
  const toast = useToast();
  const putting = useMutation({
    mutationFn: () => createTask(owner, task),
    onSuccess: async () => {
      toast(`“${task.title}” is back on your list.`);
      await queryClient.invalidateQueries({ queryKey: tasksKey(owner) });
    },
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  return (
    <Button
      size="small"
      look="quiet"
      aria-label={`Put back “${task.title}”`}
      disabled={putting.isPending || putting.isSuccess}
      onClick={() => putting.mutate()}
    >
      Put back
    </Button>
  );
}
