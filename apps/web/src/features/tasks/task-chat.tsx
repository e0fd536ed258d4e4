import type { TaskMessage } from '@docwright/contract';
import { ListTodo } from 'lucide-react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { messageOf } from '../../shared/http/api-error.ts';
import { Markdown } from '../../agent-ui/markdown/markdown.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { TaskCalls } from './task-calls.tsx';
import { TaskComposer } from './task-composer.tsx';
import { TaskConversations } from './task-conversations.tsx';
import { useTaskChat } from './use-task-chat.ts';

const beginnings = [
  'Remind me to check the newest invoice by Friday',
  'What is due this week?',
  'Add tasks: scan the receipts, call the bank tomorrow',
];

/** The conversation by which the list is kept: each answer shows what was done. */
export function TaskChat() {
  const { orgId, canWrite } = useSession();
  const chat = useTaskChat();
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
          isEmpty && !chat.loadError && <Hints canWrite={canWrite} onPick={chat.say} />
        )}
        <div ref={contentRef} role="log" aria-label="Conversation" className="flex flex-col gap-2 p-4 empty:p-0">
          {chat.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
          {chat.sent !== undefined && (
            <>
              <PersonWords text={chat.sent} />
              <p className="flex items-center gap-2 text-sm text-ink-faint">
                <Spinner label="The agent is working" /> Working…
              </p>
            </>
          )}
          {chat.failure && (
            <Notice
              tone="bad"
              actions={
                <Button size="small" onClick={() => chat.failure && chat.say(chat.failure.message)}>
                  Send again
                </Button>
              }
            >
              {messageOf(chat.failure.error)}
            </Notice>
          )}
        </div>
      </section>
      <TaskComposer draftKey={`docwright.task-draft.${orgId}`} running={chat.isBusy} onSend={chat.say} />
    </>
  );
}

function Message({ message: { role, content, tool_calls } }: { message: TaskMessage }) {
  if (role === 'user') return <PersonWords text={content} />;
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
      <TaskCalls calls={tool_calls} />
      <Markdown text={content} />
    </article>
  );
}

function PersonWords({ text }: { text: string }) {
  return (
    <article
      aria-label="You"
      className="mt-3 mb-1 ml-8 self-end rounded-lg rounded-br-sm bg-accent-soft px-3 py-2 first:mt-0"
    >
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
    </article>
  );
}

function Hints({ canWrite, onPick }: { canWrite: boolean; onPick: (text: string) => void }) {
  return (
    <EmptyState
      icon={ListTodo}
      title="Tell me what you have to do"
      actions={
        <div className="flex w-full flex-col gap-1.5">
          {(canWrite ? beginnings : ['What is due this week?']).map((text) => (
            <Button
              key={text}
              className="h-auto min-h-8 min-w-0 justify-start py-1 text-left whitespace-normal!"
              onClick={() => onPick(text)}
            >
              {text}
            </Button>
          ))}
        </div>
      }
    >
      {canWrite
        ? 'The agent adds, moves, completes and deletes tasks as you say, at once.'
        : 'As a viewer you can ask what is on your list.'}
    </EmptyState>
  );
}
