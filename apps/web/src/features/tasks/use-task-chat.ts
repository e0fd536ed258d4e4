import type { TaskMessage } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../shared/http/api-error.ts';
import { sayToTaskAgent, taskConversationQuery, taskConversationsQuery, tasksKey } from './tasks-api.ts';
import { useStoredValue } from '../../shared/ui/stored-value.ts';
import { useTaskOwner } from './use-task-owner.ts';

/** One conversation with the task agent: what was said, and saying more. The last one is gone on with after a reload. */
export function useTaskChat() {
  const owner = useTaskOwner();
  const queryClient = useQueryClient();
  const [stored, store] = useStoredValue(`docwright.task-conversation.${owner.orgId}.${owner.userId}`);
  const conversationId = stored === null || !Number.isInteger(Number(stored)) ? undefined : Number(stored);
  const read = useQuery({
    ...taskConversationQuery(owner, conversationId ?? 0),
    enabled: conversationId !== undefined,
  });
  const isGone = read.error instanceof ApiError && (read.error.status === 404 || read.error.status === 403);
  const shown = isGone ? undefined : conversationId;
  const saying = useMutation({
    mutationFn: ({ message, to }: Said) => sayToTaskAgent(owner, message, to ?? null),
    onSuccess: async ({ conversation_id }, { to }) => {
      await queryClient.fetchQuery({ ...taskConversationQuery(owner, conversation_id), staleTime: 0 });
      // Whoever has gone to another conversation meanwhile stays there.
      if (to === shown) store(String(conversation_id));
      void queryClient.invalidateQueries({ queryKey: taskConversationsQuery(owner).queryKey });
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: tasksKey(owner) }),
    // What was said is stored, whatever became of it.
    onError: (_, { to }) =>
      to !== undefined && queryClient.invalidateQueries({ queryKey: taskConversationQuery(owner, to).queryKey }),
  });
  const said = saying.variables?.to === shown ? saying.variables?.message : undefined;
  return {
    conversationId: shown,
    messages: shown === undefined ? nothing : (read.data?.messages ?? nothing),
    /** What was sent and is not in the conversation yet. */
    sent: saying.isPending ? said : undefined,
    /** An answer is being waited for, be it in another conversation. */
    isBusy: saying.isPending,
    failure: saying.isError && said !== undefined ? { error: saying.error, message: said } : undefined,
    loadError: isGone ? undefined : read.error,
    reload: () => void read.refetch(),
    isLoading: shown !== undefined && read.isPending,
    say: (message: string) => saying.mutate({ message, to: shown }),
    open: (id: number | undefined) => store(id === undefined ? null : String(id)),
  };
}

/** A message, and the conversation that it was said in; undefined: a new one. */
interface Said {
  message: string;
  to: number | undefined;
}

const nothing: readonly TaskMessage[] = [];
