import { Check, Copy } from 'lucide-react';
import {
  Fragment,
  memo,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  startTransition,
  useCallback,
  useRef,
  type ReactNode,
  Suspense,
} from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { useStickToBottom } from 'use-stick-to-bottom';
import { isOverMany, type ChatPlace } from '../../../shared/api/chat-api.ts';
import type { AssistantEntry, ChatState, ToolCard, UserEntry } from '../../../agent-ui/chat-state.ts';
import { LazyMarkdown } from '../../../agent-ui/markdown/lazy-markdown.tsx';
import type { MentionChoice } from '../composer/mention-markup.ts';
import { Thinking } from './thinking.tsx';
import { ToolCardView } from './tool-card.tsx';
import { turnEndingAt, changesOf } from '../turn/turns.ts';
import { UserMessage } from './user-message.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useCopy } from '../../../shared/ui/use-copy.ts';
import { LatestButton } from '../../../agent-ui/conversation-log.tsx';

const TurnChanges = lazyPart(async () => ({ default: (await import('./turn-changes.tsx')).TurnChanges }));

/** How the answers of an agent look and are copied. Functions must stay the same while nothing changes. */
export interface AnswerLook {
  /** Renders the text of an answer; `question` counts the messages of the user from 0. */
  render: (entry: AssistantEntry, question: number, isOpen: boolean) => ReactNode;
  /** The text that is copied. */
  copy: (entry: AssistantEntry) => string;
  /** Shown below a message of the user. */
  note: (entry: UserEntry) => ReactNode;
}

interface MessageListProps {
  place: ChatPlace;
  state: ChatState;
  choices: MentionChoice[];
  look?: AnswerLook;
  onResend: ((index: number, entry: UserEntry) => void) | undefined;
  /** Renders the controls of a pending card. */
  decisionFor: (card: ToolCard) => ReactNode;
  /** The decision so far, while others of the batch are open. */
  decisionLabelFor: (card: ToolCard) => string | undefined;
  /** Shown after the last message: progress and errors. */
  children: ReactNode;
}

/** The messages; the list sticks to its end until the user scrolls up, then offers "Latest". */
export function MessageList(props: MessageListProps) {
  const { place, state, choices, look, onResend, decisionFor, decisionLabelFor, children } = props;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: 'instant',
    resize: 'instant',
  });
  const last = state.entries.length - 1;
  const { first, earlier, resetToLast } = useRenderedEntries(state.entries.length);
  const showLatest = () => {
    resetToLast();
    void scrollToBottom({ animation: 'instant' });
  };
  // Keeps the end in view when the composer or the usage line below grows.
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
          {state.entries.slice(first).map((entry, offset) => {
            const index = first + offset;
            return entry.kind === 'user' ? (
              <UserMessage
                key={index}
                entry={entry}
                index={index}
                draftKey={`docwright.edit.${state.threadId ?? ''}.${index}`}
                choices={choices}
                onResend={onResend}
                note={look?.note(entry)}
              />
            ) : (
              <Fragment key={index}>
                <AssistantMessage
                  entry={entry}
                  look={look}
                  question={questionAt(state, index)}
                  isOpen={index === last && state.phase === 'running'}
                  thinking={state.thinking && index === last}
                  decisionFor={index === last ? decisionFor : undefined}
                  decisionLabelFor={index === last ? decisionLabelFor : undefined}
                />
                <Footer place={place} state={state} index={index} look={look} />
              </Fragment>
            );
          })}
          {children}
        </div>
      </div>
      {!isAtBottom && <LatestButton onClick={showLatest} />}
    </div>
  );
}

const questionAt = ({ entries }: ChatState, index: number): number =>
  entries.slice(0, index).filter(({ kind }) => kind === 'user').length - 1;

interface FooterProps {
  place: ChatPlace;
  state: ChatState;
  index: number;
  look: AnswerLook | undefined;
}

/** The footer after the last entry of a finished turn. */
function Footer({ place, state, index, look }: FooterProps) {
  if (index === state.entries.length - 1 && state.phase !== 'idle') return null;
  const turn = turnEndingAt(state.entries, index);
  return turn && <TurnFooter place={place} entries={turn} look={look} />;
}

interface AssistantMessageProps {
  entry: AssistantEntry;
  look: AnswerLook | undefined;
  question: number;
  /** Whether the entry still receives events. */
  isOpen: boolean;
  thinking: boolean;
  decisionFor: ((card: ToolCard) => ReactNode) | undefined;
  decisionLabelFor: ((card: ToolCard) => string | undefined) | undefined;
}

const AssistantMessage = memo(function AssistantMessage({
  entry,
  look,
  question,
  isOpen,
  thinking,
  decisionFor,
  decisionLabelFor,
}: AssistantMessageProps) {
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
      {entry.thinking !== undefined && <Thinking text={entry.thinking} live={thinking} durationMs={entry.thinkingMs} />}
      {entry.text !== '' && (look?.render(entry, question, isOpen) ?? <LazyMarkdown text={entry.text} />)}
      {entry.cards.map((card) => (
        <ToolCardView
          key={card.id}
          card={card}
          decision={card.state === 'waiting' ? decisionLabelFor?.(card) : undefined}
        >
          {card.state === 'waiting' && decisionFor?.(card)}
        </ToolCardView>
      ))}
    </article>
  );
});

interface TurnFooterProps {
  place: ChatPlace;
  /** The answers of one finished turn. */
  entries: AssistantEntry[];
  look: AnswerLook | undefined;
}

/** Below a finished turn: copy its answer, list and undo its changes. */
const TurnFooter = memo(
  function TurnFooter({ place, entries, look }: TurnFooterProps) {
    const texts = entries.map((entry) => look?.copy(entry) ?? entry.text).filter((answer) => answer !== '');
    const text = texts.join('\n\n');
    const changes = isOverMany(place) ? [] : changesOf(entries);
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
    before.look === after.look &&
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

/** More entries than fill a tall window. */
const initialCount = 30;
/** Few enough to be laid out within a frame or two. */
const batchSize = 12;
/** Earlier entries are rendered this far before the user reaches them. */
const lookahead = '1500px';

const initialStart = (count: number) => Math.max(0, count - initialCount);

/** Renders a long list from its end: the last entries at first, earlier ones as the user scrolls up. */
function useRenderedEntries(count: number) {
  const [start, setStart] = useState(() => initialStart(count));
  const first = Math.min(start, initialStart(count));
  const earlier = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = earlier.current;
    if (mark === null || first === 0) return;
    const observer = new IntersectionObserver(
      (intersections) => {
        if (intersections.some(({ isIntersecting }) => isIntersecting)) {
          startTransition(() => setStart(Math.max(0, first - batchSize)));
        }
      },
      { root: mark.closest('[data-scrolls]'), rootMargin: `${lookahead} 0px 0px 0px` },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [first]);
  const entryOnTop = useRef<{ first: number; element: HTMLElement; offset: number }>(undefined);
  useLayoutEffect(() => {
    // A browser holds the reader's place when content is added above it, but not in a list that is scrolled to its very
    // top. There, each batch would bring the next one into view until all entries are rendered.
    const before = entryOnTop.current;
    const box = before?.element.closest('[data-scrolls]');
    if (before && first < before.first && box?.scrollTop === 0)
      box.scrollTop = before.element.offsetTop - before.offset;
    const element = earlier.current?.nextElementSibling;
    entryOnTop.current = element instanceof HTMLElement ? { first, element, offset: element.offsetTop } : undefined;
  }, [first]);
  const resetToLast = useCallback(() => setStart(initialStart(count)), [count]);
  return {
    /** Index of the first rendered entry. */
    first,
    /** Ref of an element before the first entry: when it comes near, earlier entries are rendered. */
    earlier,
    /** Renders only the last entries again. */
    resetToLast,
  };
}
