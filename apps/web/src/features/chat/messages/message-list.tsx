import { ArrowDown, Check, Copy } from 'lucide-react';
import {
  Fragment,
  memo,
  useEffect,
  useEffectEvent,
  useState,
  startTransition,
  useCallback,
  useRef,
  type ReactNode,
  type RefObject,
  lazy,
  Suspense,
} from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { AssistantEntry, ChatState, ToolCard as Card, UserEntry } from '../../../agent-ui/chat-state.ts';
import { Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import type { MentionChoice } from '../composer/mention-markup.ts';
import { Thinking } from './thinking.tsx';
import { ToolCardView } from './tool-card.tsx';
import { turnEndingAt, changesOf } from '../turn/turns.ts';
import { UserMessage } from './user-message.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useCopy } from '../../../shared/ui/use-copy.ts';

const TurnChanges = lazy(async () => ({ default: (await import('./turn-changes.tsx')).TurnChanges }));

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
        <ToolCardView key={card.id} card={card} said={card.state === 'waiting' ? saidAbout?.(card) : undefined}>
          {card.state === 'waiting' && decisionFor?.(card)}
        </ToolCardView>
      ))}
    </article>
  );
});

interface TurnFooterProps {
  place: ChatPlace;
  /** The answers of one turn that is over. */
  entries: AssistantEntry[];
}

/** Below a turn that is over: its answer to copy, what it changed and the way back. */
const TurnFooter = memo(
  function TurnFooter({ place, entries }: TurnFooterProps) {
    const text = entries
      .map((entry) => entry.text)
      .filter((each) => each !== '')
      .join('\n\n');
    const changes = changesOf(entries);
    if (text === '' && changes.length === 0) return null;
    return (
      <footer className="flex flex-wrap items-start gap-x-2">
        {text !== '' && <CopyAnswer text={text} />}
        <Suspense>{changes.length > 0 && <TurnChanges place={place} changes={changes} />}</Suspense>
      </footer>
    );
  },
  (before, after) =>
    before.place === after.place &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, index) => entry === after.entries[index]),
);

function CopyAnswer({ text }: { text: string }) {
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <IconButton
      label={copied ? 'Copied' : 'Copy the answer'}
      onClick={() => void copy(text).then(setCopied)}
      className="-ml-1.5"
    >
      <Icon aria-hidden className="size-3.5" />
    </IconButton>
  );
}

/** More than fill a tall window. */
const atOnce = 30;
/** Few enough to be laid out within a frame or two. */
const step = 12;
/** Earlier ones are drawn before somebody has scrolled to them. */
const ahead = '1500px';

const lastOnes = (count: number) => Math.max(0, count - atOnce);

interface DrawnEntries {
  /** The first entry that is drawn. */
  first: number;
  /** To be put before the first one: once it comes near, earlier ones are drawn. */
  earlier: RefObject<HTMLDivElement | null>;
  /** Back to the last ones alone. */
  onlyLast: () => void;
}

/** Draws a long list from its end: its last entries at first, earlier ones as somebody scrolls towards them. */
function useDrawnEntries(count: number): DrawnEntries {
  const [begin, setBegin] = useState(() => lastOnes(count));
  const first = Math.min(begin, lastOnes(count));
  const earlier = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = earlier.current;
    if (mark === null || first === 0) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) {
          startTransition(() => setBegin(Math.max(0, first - step)));
        }
      },
      { root: mark.closest('[data-scrolls]'), rootMargin: `${ahead} 0px 0px 0px` },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [first]);
  const onlyLast = useCallback(() => setBegin(lastOnes(count)), [count]);
  return { first, earlier, onlyLast };
}
