import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { inputClass } from './text-field.tsx';

interface NameSearchProps {
  value: string;
  /** Called a moment after the last key. Should keep its identity between renders. */
  onChange: (value: string) => void;
}

/** Searches a list by name as one types. */
export function NameSearch({ value, onChange }: NameSearchProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 250);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <div className="relative w-64 max-sm:w-full">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-faint" />
      <input
        type="search"
        aria-label="Search by name"
        placeholder="Search by name"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-8`}
      />
    </div>
  );
}
