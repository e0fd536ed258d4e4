import { Search, X } from 'lucide-react';
import { useRef, type FormEvent, type KeyboardEvent } from 'react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { maxQueryLength } from '../../shared/addresses/collection-search.ts';
import { useSearchText } from '../../shared/ui/fields/use-search-text.ts';
import { useWindowKey } from '../../shared/ui/browser/use-window-key.ts';

interface SearchFieldProps {
  /** The current query. */
  value: string;
  /** Accessible name. */
  label: string;
  /** Called with the trimmed text 200 ms after the last key, and at once on Enter and when the field loses the focus. */
  onSearch: (text: string) => void;
  /** Called on the down arrow. */
  onDown: () => void;
  searching: boolean;
}

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Searches while typing; `/` focuses it from anywhere on the page. */
export function SearchField({ value, label, onSearch, onDown, searching }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, sendNow, clear } = useSearchText({ value, delayMs: 200, onSearch });
  useWindowKey((event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target?.closest(typing) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    sendNow();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    onDown();
  };
  return (
    <search>
      <form onSubmit={onSubmit} className="relative flex items-center">
        <span className="pointer-events-none absolute left-3 text-ink-faint">
          {searching ? <Spinner label="Searching" className="size-4.5" /> : <Search aria-hidden className="size-4.5" />}
        </span>
        <input
          ref={field}
          data-search-collection
          type="text"
          enterKeyHint="search"
          aria-label={label}
          placeholder={label}
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          maxLength={maxQueryLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={sendNow}
          className="h-10 w-full min-w-0 rounded-lg border border-line-strong bg-raised pr-10 pl-10 text-lg placeholder:text-ink-faint"
        />
        <span className="absolute right-1.5">
          {text === '' ? (
            <kbd
              aria-hidden
              className="mr-1.5 rounded-sm border border-line px-1.5 font-sans text-xs text-ink-faint max-md:hidden"
            >
              /
            </kbd>
          ) : (
            <IconButton
              label="Clear the search"
              onClick={() => {
                clear();
                field.current?.focus();
              }}
            >
              <X className="size-4" />
            </IconButton>
          )}
        </span>
      </form>
    </search>
  );
}
