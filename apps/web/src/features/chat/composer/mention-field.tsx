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
import { useDraftHistory } from './use-draft-history.ts';

const icons: Record<string, LucideIcon> = { schema: FileJson, prompt: MessageSquareQuote, tag: TagIcon };
const kindOf = (id: string | number) => String(id).split(':')[0] ?? '';

/** Between the last key and the question to the server. */
const restMs = 150;
/** What follows an `@` for longer is no name any more. */
const longestName = 60;

/** The library replaces a placeholder by the name, and reads `$` in it as a pattern. */
const forLibrary = (choices: MentionChoice[]) =>
  choices.map((each) => ({ ...each, display: each.display.replaceAll('$', '$$$$') }));

function withMore(choices: MentionChoice[], more: MentionChoice[]): MentionChoice[] {
  const known = new Set(choices.map(({ id }) => id));
  return [...choices, ...more.filter(({ id }) => !known.has(id))];
}

interface MentionFieldProps {
  label: string;
  placeholder: string;
  describedBy: string | undefined;
  draft: string;
  offer: MentionOffer;
  onChange: (draft: string) => void;
  /** Enter, without Shift and while nothing is being picked. */
  onEnter: () => void;
}

/** A text with mentions: `@` offers what there is, pasted text stays text. */
export function MentionField({ label, placeholder, describedBy, draft, offer, onChange, onEnter }: MentionFieldProps) {
  const { choices, search } = offer;
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef('');
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
  /** Neither another page's mentions nor the marks of one come in from outside. */
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
          history.note(draft);
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
            wanted.current = query;
            show(forLibrary(matchingChoices(choices, query)));
            if (search === undefined || query.trim() === '' || query.length > longestName) return;
            setTimeout(() => {
              if (wanted.current !== query) return;
              const showAll = async () => {
                const found = await search(query.trim());
                if (wanted.current === query) show(forLibrary(matchingChoices(withMore(choices, found), query)));
              };
              // What is known already stays on offer.
              void showAll().catch(() => undefined);
            }, restMs);
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
