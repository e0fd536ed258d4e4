import { Search } from 'lucide-react';
import { inputClass } from './text-field.tsx';
import { useSearchText } from './use-search-text.ts';

interface NameSearchProps {
  value: string;
  /** Called with the trimmed text 250 ms after the last key, and at once when the field loses the focus. */
  onChange: (value: string) => void;
  label?: string;
  className?: string;
}

/** Searches a list by name while typing. */
export function NameSearch({
  value,
  onChange,
  label = 'Search by name',
  className = 'w-64 max-sm:w-full',
}: NameSearchProps) {
  const { text, setText, sendNow } = useSearchText({ value, delayMs: 250, onSearch: onChange });
  return (
    <div className={`relative ${className}`}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={sendNow}
        className={`${inputClass} pl-8`}
      />
    </div>
  );
}
