import { ArrowDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { scrolledByKeys } from '../shared/ui/scroll-box.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';
import { useEndOfList } from './use-end-of-list.ts';

interface ConversationLogProps {
  /** Number of messages that the user has sent; sending one scrolls to the end. */
  sentMessages: number;
  children: ReactNode;
}

/** The scrolled messages of a conversation. They follow new content until the user scrolls up, and then offer “Latest”. */
export function ConversationLog({ sentMessages, children }: ConversationLogProps) {
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useEndOfList(sentMessages);
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scrollRef} {...scrolledByKeys} className="h-full overflow-y-auto -outline-offset-2">
        <div ref={contentRef} role="log" aria-label="Conversation" className="flex flex-col gap-2 p-4">
          {children}
        </div>
      </div>
      {!isAtBottom && <LatestButton onClick={() => void scrollToBottom()} />}
    </div>
  );
}

/** Floats over the messages and scrolls to the last one. */
export function LatestButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      size="small"
      onClick={onClick}
      className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
    >
      <ArrowDown aria-hidden className="size-4" /> Latest
    </Button>
  );
}

/** A sent message. */
export function SentMessage({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <article
      aria-label="You"
      className="mt-3 mb-1 ml-8 flex min-w-0 flex-col gap-1.5 self-end rounded-lg rounded-br-sm bg-accent-soft px-3 py-2 first:mt-0"
    >
      {text !== '' && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
      {children}
    </article>
  );
}

export function WorkingLine() {
  return (
    <p className="flex items-center gap-2 text-sm text-ink-faint">
      <Spinner label="The agent is working" /> Working…
    </p>
  );
}
