import { ArrowDown } from 'lucide-react';
import { Fragment, memo, useEffect, useEffectEvent, type ReactNode } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { AssistantEntry, ChatState, ToolCard as Card, UserEntry } from '../../../agent-ui/chat-state.ts';
import { Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import type { MentionChoice } from '../composer/mention-markup.ts';
import { Thinking } from './thinking.tsx';
import { ToolCard } from './tool-card.tsx';
import { TurnFooter } from './turn-footer.tsx';
import { turnEndingAt } from '../turn/turns.ts';
import { useDrawnEntries } from './use-drawn-entries.ts';
import { UserMessage } from './user-message.tsx';

interface MessageListProps {
  place: ChatPlace;
  state: ChatState;
  choices: MentionChoice[];
  onResend: ((index: number, entry: UserEntry) => void) | undefined;
  /** What a person can do about a card that waits. */
  decisionFor: (card: Card) => ReactNode;
  /** What was decided already, while others are still open. */
  saidAbout: (card: Card) => string | undefined;
  /** After the last message: what goes on, what went wrong. */
  children: ReactNode;
}

/** The conversation; it stays at its end until somebody scrolls up, and offers the way back. */
export function MessageList({ place, state, choices, onResend, decisionFor, saidAbout, children }: MessageListProps) {
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: 'instant',
    resize: 'instant',
  });
  const last = state.entries.length - 1;
  const { first, earlier, onlyLast } = useDrawnEntries(state.entries.length);
  const showLatest = () => {
    onlyLast();
    void scrollToBottom({ animation: 'instant' });
  };
  // What stands below may grow, a message that is written or what a turn took: the end stays in sight.
  const onResize = useEffectEvent(() => {
    if (isAtBottom) void scrollToBottom({ animation: 'instant' });
  });
  useEffect(() => {
    const box = scrollRef.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => onResize());
    observer.observe(box);
    return () => observer.disconnect();
  }, [scrollRef]);
  return (
    <div className="relative min-h-[min(13rem,30vh)] flex-1">
      <div ref={scrollRef} data-scrolls className="h-full overflow-y-auto">
        <div ref={contentRef} role="log" aria-label="Conversation" className="flex flex-col gap-2 p-4">
          {first > 0 && (
            <div ref={earlier} className="text-center text-xs text-ink-faint">
              Earlier messages…
            </div>
          )}
          {state.entries.slice(first).map((entry, at) => {
            const index = first + at;
            return entry.kind === 'user' ? (
              <UserMessage
                key={index}
                entry={entry}
                index={index}
                draftKey={`docwright.edit.${state.threadId ?? ''}.${index}`}
                choices={choices}
                onResend={onResend}
              />
            ) : (
              <Fragment key={index}>
                <AssistantMessage
                  entry={entry}
                  thinking={state.thinking && index === last}
                  decisionFor={index === last ? decisionFor : undefined}
                  saidAbout={index === last ? saidAbout : undefined}
                />
                <Footer place={place} state={state} index={index} />
              </Fragment>
            );
          })}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <Button
          size="small"
          onClick={showLatest}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
        >
          <ArrowDown aria-hidden className="size-4" /> Latest
        </Button>
      )}
    </div>
  );
}

/** Only a turn that is over has one. */
function Footer({ place, state, index }: { place: ChatPlace; state: ChatState; index: number }) {
  if (index === state.entries.length - 1 && state.phase !== 'idle') return null;
  const turn = turnEndingAt(state.entries, index);
  return turn && <TurnFooter place={place} entries={turn} />;
}

interface AssistantMessageProps {
  entry: AssistantEntry;
  thinking: boolean;
  decisionFor: ((card: Card) => ReactNode) | undefined;
  saidAbout: ((card: Card) => string | undefined) | undefined;
}

const AssistantMessage = memo(function AssistantMessage({
  entry,
  thinking,
  decisionFor,
  saidAbout,
}: AssistantMessageProps) {
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
      {entry.thinking !== undefined && <Thinking text={entry.thinking} live={thinking} durationMs={entry.thinkingMs} />}
      {entry.text !== '' && <Markdown text={entry.text} />}
      {entry.cards.map((card) => (
        <ToolCard key={card.id} card={card} said={card.state === 'waiting' ? saidAbout?.(card) : undefined}>
          {card.state === 'waiting' && decisionFor?.(card)}
        </ToolCard>
      ))}
    </article>
  );
});
