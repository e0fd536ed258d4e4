import type { TaskMessage } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { sayToTaskAgent, taskConversationQuery, taskConversationsQuery, tasksKey } from '../api/tasks-api.ts';
import { useStoredValue } from '../ui/stored-value.ts';
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
  const saying = useMutation({
    mutationFn: (message: string) => sayToTaskAgent(owner, message, isGone ? null : (conversationId ?? null)),
    onSuccess: async ({ conversation_id }) => {
      await queryClient.fetchQuery({ ...taskConversationQuery(owner, conversation_id), staleTime: 0 });
      store(String(conversation_id));
      void queryClient.invalidateQueries({ queryKey: taskConversationsQuery(owner).queryKey });
    },
    // A failure may come after something was done; what was said is stored either way.
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: tasksKey(owner) });
      if (conversationId !== undefined) {
        await queryClient.invalidateQueries({ queryKey: taskConversationQuery(owner, conversationId).queryKey });
      }
    },
  });
  const messages: readonly TaskMessage[] = conversationId === undefined || isGone ? [] : (read.data?.messages ?? []);
  return {
    conversationId: isGone ? undefined : conversationId,
    messages,
    /** What was sent and is not in the conversation yet. */
    sent: saying.isPending ? saying.variables : undefined,
    failure: saying.isError ? { error: saying.error, message: saying.variables } : undefined,
    loadError: isGone ? undefined : read.error,
    reload: () => void read.refetch(),
    isLoading: conversationId !== undefined && read.isPending,
    say: (message: string) => saying.mutate(message),
    open: (id: number | undefined) => {
      saying.reset();
      store(id === undefined ? null : String(id));
    },
  };
}
