import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { tagsQuery } from '../api/library-api.ts';
import { useSession } from '../identity/session.tsx';
import { Choice } from '../ui/choice.tsx';
import { inputClass } from '../ui/text-field.tsx';
import type { DocumentListSearch } from './document-search.ts';
import { stateOptions } from './document-state-words.ts';

interface DocumentFiltersProps {
  search: DocumentListSearch;
  onChange: (search: DocumentListSearch) => void;
}

/** `Select` has no empty value. */
const any = 'any';

export function DocumentFilters({ search, onChange }: DocumentFiltersProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const { page: _page, ...filters } = search;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <NameSearch value={search.q ?? ''} onChange={(q) => onChange({ ...filters, q })} />
      <Choice
        label="State"
        className="h-8"
        value={search.state ?? any}
        options={[{ value: any, label: 'Any state' }, ...stateOptions]}
        onChange={(state) => {
          const { state: _state, ...rest } = filters;
          onChange(state === any ? rest : { ...rest, state: state as NonNullable<DocumentListSearch['state']> });
        }}
      />
      {tags.length > 0 && (
        <Choice
          label="Tag"
          className="h-8 max-w-44"
          value={search.tag ?? any}
          options={[{ value: any, label: 'Any tag' }, ...tags.map((tag) => ({ value: tag.tag_id, label: tag.name }))]}
          onChange={(tag) => {
            const { tag: _tag, ...rest } = filters;
            onChange(tag === any ? rest : { ...rest, tag });
          }}
        />
      )}
    </div>
  );
}

function NameSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
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
