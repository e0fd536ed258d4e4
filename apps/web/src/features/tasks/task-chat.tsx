import type { TaskMessage } from '@docwright/contract';
import { ListTodo, Plus } from 'lucide-react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { messageOf, ApiError } from '../../shared/http/api-error.ts';
import { LazyMarkdown } from '../../agent-ui/markdown/lazy-markdown.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { TaskCalls } from './task-calls.tsx';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { taskConversationsQuery, sendToTaskAgent, taskConversationQuery, tasksKey } from './tasks-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useTaskOwner } from './use-task-owner.ts';
import { beforeStored, useKeptMessage, useStoredValue } from '../../shared/ui/browser/stored-value.ts';
import { TextComposer } from '../../agent-ui/composer.tsx';
import { AgentAnswer, SentMessage, WorkingLine } from '../../agent-ui/conversation-log.tsx';
import { StartHints } from '../../agent-ui/start-hints.tsx';

const suggestions = [
  'Remind me to check the newest invoice by Friday',
  'What is due this week?',
  'Add tasks: scan the receipts, call the bank tomorrow',
];

/** The conversation with the task agent; each answer lists the changes it made. */
export function TaskChat() {
  const { orgId, canWrite } = useSession();
  const chat = useTaskChat();
  const draftKey = `docwright.task-draft.${orgId}`;
  const [draft, setDraft] = useStoredValue(draftKey);
  useKeptMessage(draftKey, chat.failure?.message, (message) => setDraft(beforeStored(message, draftKey)));
  const { scrollRef, contentRef } = useStickToBottom({ initial: 'instant', resize: 'instant' });
  const isEmpty = chat.messages.length === 0 && chat.sent === undefined && chat.failure === undefined;
  return (
    <>
      <TaskConversations current={chat.conversationId} onOpen={chat.open} />
      <section ref={scrollRef} aria-label="Messages" {...scrolledByKeys} className="min-h-0 flex-1 overflow-y-auto">
        {chat.loadError && (
          <div className="p-3">
            <RetryNotice error={chat.loadError} retry={chat.reload} />
          </div>
        )}
        {chat.isLoading ? (
          <Skeleton className="m-4 h-24" />
        ) : (
          isEmpty && !chat.loadError && <Hints canWrite={canWrite} onPick={chat.send} />
        )}
        <div ref={contentRef} role="log" aria-label="Conversation" className="flex flex-col gap-2 p-4 empty:p-0">
          {chat.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
          {chat.sent !== undefined && (
            <>
              <SentMessage text={chat.sent} />
              <WorkingLine />
            </>
          )}
          {chat.failure && (
            <Notice
              tone="bad"
              actions={
                <Button size="small" onClick={() => chat.failure && chat.send(chat.failure.message)}>
                  Send again
                </Button>
              }
            >
              {messageOf(chat.failure.error)}
            </Notice>
          )}
        </div>
      </section>
      <TextComposer
        label="Message to the task agent"
        placeholder="What do you have to do?"
        rows={1}
        className="max-h-40 min-h-10 min-w-0 flex-1 py-2"
        maxLength={10_000}
        draft={draft}
        onDraft={setDraft}
        running={chat.isBusy}
        onSend={chat.send}
      />
    </>
  );
}

function Message({ message: { role, content, tool_calls } }: { message: TaskMessage }) {
  if (role === 'user') return <SentMessage text={content} />;
  return (
    <AgentAnswer>
      <TaskCalls calls={tool_calls} />
      <LazyMarkdown text={content} />
    </AgentAnswer>
  );
}

function Hints({ canWrite, onPick }: { canWrite: boolean; onPick: (text: string) => void }) {
  return (
    <StartHints
      icon={ListTodo}
      title="Tell me what you have to do"
      suggestions={canWrite ? suggestions : ['What is due this week?']}
      onPick={onPick}
    >
      {canWrite
        ? 'Tell the agent what to add, move, complete or delete.'
        : 'As a viewer you can ask what is on your list.'}
    </StartHints>
  );
}

interface TaskConversationsProps {
  current: number | undefined;
  /** Undefined for a new conversation. */
  onOpen: (id: number | undefined) => void;
}

/** Chooses the shown conversation, or starts a new one. */
function TaskConversations({ current, onOpen }: TaskConversationsProps) {
  const owner = useTaskOwner();
  const listed = useQuery(taskConversationsQuery(owner)).data?.conversations ?? [];
  const earlier = listed.map(({ id, title, updated_at }) => ({
    value: String(id),
    label: title,
    note: formatMoment(updated_at),
  }));
  const options = [...(current === undefined ? [{ value: '', label: 'New conversation' }] : []), ...earlier];
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-3">
      <h2 className="shrink-0 text-sm font-medium">Agent</h2>
      {earlier.length > 0 && (
        <>
          <Choice
            label="Conversation"
            value={current === undefined ? '' : String(current)}
            options={options}
            className="flex-1"
            onChange={(id) => onOpen(id === '' ? undefined : Number(id))}
          />
          <IconButton label="New conversation" disabled={current === undefined} onClick={() => onOpen(undefined)}>
            <Plus aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
    </div>
  );
}

/** One conversation with the task agent. The last one is opened again after a reload. */
function useTaskChat() {
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
  const sending = useMutation({
    mutationFn: ({ message, to }: OutgoingMessage) => sendToTaskAgent(owner, message, to ?? null),
    onSuccess: async ({ conversation_id }, { to }) => {
      await queryClient.fetchQuery({ ...taskConversationQuery(owner, conversation_id), staleTime: 0 });
      // A user who has opened another conversation meanwhile stays there.
      if (to === shown) store(String(conversation_id));
      void queryClient.invalidateQueries({ queryKey: taskConversationsQuery(owner).queryKey });
    },
    onSettled: async (_answer, error, { to }) => {
      void queryClient.invalidateQueries({ queryKey: tasksKey(owner) });
      if (error === null || to === undefined) return;
      // The message is stored even if the answer fails.
      await queryClient.invalidateQueries({ queryKey: taskConversationQuery(owner, to).queryKey });
    },
  });
  const sentMessage = sending.variables?.to === shown ? sending.variables?.message : undefined;
  return {
    conversationId: shown,
    messages: shown === undefined ? noMessages : (read.data?.messages ?? noMessages),
    /** The sent message that is not in the conversation yet. */
    sent: sending.isPending ? sentMessage : undefined,
    /** Whether an answer is pending, in any conversation. */
    isBusy: sending.isPending,
    failure: sending.isError && sentMessage !== undefined ? { error: sending.error, message: sentMessage } : undefined,
    loadError: isGone ? undefined : read.error,
    reload: () => void read.refetch(),
    isLoading: shown !== undefined && read.isPending,
    send: (message: string) => sending.mutate({ message, to: shown }),
    open: (id: number | undefined) => store(id === undefined ? null : String(id)),
  };
}

/** A message and its conversation; undefined for a new one. */
interface OutgoingMessage {
  message: string;
  to: number | undefined;
}

const noMessages: readonly TaskMessage[] = [];
