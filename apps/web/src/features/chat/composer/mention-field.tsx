import { FileJson, MessageSquareQuote, Tag as TagIcon, type LucideIcon } from 'lucide-react';
import { createElement, useEffect, useRef, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { Mention, MentionsInput } from 'react-mentions';
import { matchingChoices, type MentionOffer } from './mention-choices.ts';
import {
  keepKnownMentions,
  mentionMarkup,
  mentionPattern,
  withoutMarks,
  type MentionChoice,
} from './mention-markup.ts';
import './mentions.css';

const icons: Record<string, LucideIcon> = { schema: FileJson, prompt: MessageSquareQuote, tag: TagIcon };
const kindOf = (id: string | number) => String(id).split(':')[0] ?? '';

/** Delay between the last key and the search on the server. */
const searchDelayMs = 150;
/** Longer text after an `@` is not a name. */
const maxNameLength = 60;

/** Escapes `$`, because react-mentions passes names to `String.replace`. */
const escapeNames = (choices: MentionChoice[]) =>
  choices.map((choice) => ({ ...choice, display: choice.display.replaceAll('$', '$$$$') }));

function withMore(choices: MentionChoice[], more: MentionChoice[]): MentionChoice[] {
  const loadedIds = new Set(choices.map(({ id }) => id));
  return [...choices, ...more.filter(({ id }) => !loadedIds.has(id))];
}

interface MentionFieldProps {
  label: string;
  placeholder: string;
  describedBy: string | undefined;
  draft: string;
  offer: MentionOffer;
  onChange: (draft: string) => void;
  /** Called on Enter, unless Shift is held or the list of choices is open. */
  onEnter: () => void;
}

/** A text field with mentions: `@` opens the choices; pasted text can never become a mention. */
export function MentionField({ label, placeholder, describedBy, draft, offer, onChange, onEnter }: MentionFieldProps) {
  const { choices, search } = offer;
  const field = useRef<HTMLTextAreaElement>(null);
  const currentQuery = useRef('');
  const history = useDraftHistory();
  useEffect(() => {
    if (draft === '') history.clear();
  });

  const onKeyDownCapture = (event: KeyboardEvent) => {
    const picking = field.current?.getAttribute('aria-expanded') === 'true';
    if (picking || event.nativeEvent.isComposing) {
      if (event.key === 'Escape') event.nativeEvent.stopPropagation();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      onEnter();
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    const next = key === 'y' || event.shiftKey ? history.redo(draft) : history.undo(draft);
    if (next !== undefined) onChange(next);
  };
  /** Strips mention marks from pasted and dropped text. */
  const insertPlain = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    event.stopPropagation();
    const text = data?.getData('text/plain') ?? '';
    if (withoutMarks(text) === text) return;
    event.preventDefault();
    document.execCommand('insertText', false, withoutMarks(text));
  };

  return (
    <div
      onKeyDownCapture={onKeyDownCapture}
      onPaste={(event) => insertPlain(event, event.clipboardData)}
      onDrop={(event) => insertPlain(event, event.dataTransfer)}
      className="max-h-48 overflow-y-auto [scrollbar-gutter:stable]"
    >
      <MentionsInput
        className="mentions"
        value={draft}
        inputRef={field}
        onChange={(_event, value) => {
          history.record(draft);
          onChange(keepKnownMentions(value, draft, choices));
        }}
        allowSpaceInQuery
        forceSuggestionsAboveCursor
        suggestionsPortalHost={document.body}
        a11ySuggestionsListLabel="Schemas, prompts and tags"
        aria-label={label}
        aria-describedby={describedBy}
        data-composer=""
        placeholder={placeholder}
      >
        <Mention
          trigger="@"
          className="mentions__mention"
          markup={mentionMarkup}
          regex={mentionPattern}
          displayTransform={(_id, display) => `@${display}`}
          appendSpaceOnAdd
          isLoading={false}
          onAdd={() => {}}
          data={(query, show) => {
            currentQuery.current = query;
            show(escapeNames(matchingChoices(choices, query)));
            if (search === undefined || query.trim() === '' || query.length > maxNameLength) return;
            setTimeout(() => {
              if (currentQuery.current !== query) return;
              const showAll = async () => {
                const results = await search(query.trim());
                if (currentQuery.current === query)
                  show(escapeNames(matchingChoices(withMore(choices, results), query)));
              };
              // On an error the loaded choices stay.
              void showAll().catch(() => undefined);
            }, searchDelayMs);
          }}
          renderSuggestion={({ id, display }) => (
            <span className="flex max-w-80 items-center gap-2 text-sm">
              {createElement(icons[kindOf(id)] ?? TagIcon, {
                'aria-hidden': true,
                className: 'size-4 shrink-0 text-ink-faint',
              })}
              <span className="min-w-0 truncate">{display?.replaceAll('$$', '$')}</span>
              <span className="ml-auto text-xs text-ink-faint">{kindOf(id)}</span>
            </span>
          )}
        />
      </MentionsInput>
    </div>
  );
}

/** Typing without a longer pause is one step. */
const pauseMs = 600;
const maxSteps = 200;

/** Undo and redo of a draft: the browser's own history is lost when the page sets the field's value. */
function useDraftHistory() {
  const steps = useRef<{ past: string[]; future: string[]; at: number }>({ past: [], future: [], at: 0 });
  return {
    /** Records the draft before a change. */
    record(before: string) {
      const now = Date.now();
      const { past, at } = steps.current;
      const isNewStep = past.length === 0 || now - at > pauseMs;
      steps.current = { past: isNewStep ? [...past, before].slice(-maxSteps) : past, future: [], at: now };
    },
    undo(present: string) {
      const { past, future } = steps.current;
      if (past.length === 0) return undefined;
      steps.current = { past: past.slice(0, -1), future: [...future, present], at: 0 };
      return past.at(-1);
    },
    redo(present: string) {
      const { past, future } = steps.current;
      if (future.length === 0) return undefined;
      steps.current = { past: [...past, present], future: future.slice(0, -1), at: 0 };
      return future.at(-1);
    },
    clear() {
      steps.current = { past: [], future: [], at: 0 };
    },
  };
}
