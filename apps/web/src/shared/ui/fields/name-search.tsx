import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { inputClass } from './text-field.tsx';

interface NameSearchProps {
  value: string;
  /** Called 250 ms after the last key. Must keep its identity between renders. */
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
    <div className={`relative ${className}`}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-8`}
      />
    </div>
  );
}
