import { FileJson, MessageSquareQuote, Tag as TagIcon, type LucideIcon } from 'lucide-react';
import { createElement, useEffect, useRef, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { Mention, MentionsInput } from 'react-mentions';
import { matchingChoices } from './mention-choices.ts';
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

interface MentionFieldProps {
  label: string;
  placeholder: string;
  describedBy: string | undefined;
  draft: string;
  choices: MentionChoice[];
  onChange: (draft: string) => void;
  /** Enter, without Shift and while nothing is being picked. */
  onEnter: () => void;
}

/** A text with mentions: `@` offers what there is, pasted text stays text. */
export function MentionField({
  label,
  placeholder,
  describedBy,
  draft,
  choices,
  onChange,
  onEnter,
}: MentionFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
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
          // The library replaces a placeholder by the name, and reads `$` in it as a pattern.
          data={(query, show) =>
            show(
              matchingChoices(choices, query).map((each) => ({
                ...each,
                display: each.display.replaceAll('$', '$$$$'),
              })),
            )
          }
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
