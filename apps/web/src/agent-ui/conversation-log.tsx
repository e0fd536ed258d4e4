import { ArrowDown } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useStickToBottom, type StickToBottomInstance } from 'use-stick-to-bottom';
import { Button } from '../shared/ui/button.tsx';
import { scrolledByKeys } from '../shared/ui/scroll-box.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';

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

/** Milliseconds after which the library has handled a scroll event. */
const settleMs = 5;

/**
 * Keeps a list scrolled to its end until the user scrolls up, also when the list itself is resized. Sending a message
 * scrolls to the end.
 *
 * @param sentMessages - Number of messages sent so far.
 */
function useEndOfList(sentMessages: number): StickToBottomInstance {
  const list = useStickToBottom({ initial: 'instant', resize: 'instant' });
  const { scrollRef, isAtBottom, scrollToBottom } = list;
  const stayAtEnd = useEffectEvent(() => {
    if (isAtBottom) void scrollToBottom('instant');
  });
  // When the list grows taller, the browser scrolls up by itself, which the library mistakes for a scroll by the user.
  const returnToEnd = useEffectEvent((box: HTMLElement) => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight <= 1) void scrollToBottom('instant');
  });
  useEffect(() => {
    const box = scrollRef.current;
    if (!box) return;
    const observer = new ResizeObserver(() => stayAtEnd());
    observer.observe(box);
    const onScroll = () => setTimeout(() => returnToEnd(box), settleMs);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, [scrollRef]);
  useEffect(() => {
    if (sentMessages > 0) void scrollToBottom('instant');
  }, [sentMessages, scrollToBottom]);
  return list;
}

/** Floats over the messages and scrolls to the last one. */
export function LatestButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      size="small"
      onClick={onClick}
      // The button moves when the parts below the list grow, also between press and release: without capture, the browser
      // would then send no click.
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
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

/** An answer of the agent. */
export function AgentAnswer({ children }: { children: ReactNode }) {
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
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
