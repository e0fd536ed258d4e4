import type { Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import type { DocumentListSearch } from '../../../shared/addresses/document-search.ts';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { stageOptions } from '../../../shared/formats/document-state-labels.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Choice } from '../../../shared/ui/fields/choice.tsx';
import { NameSearch } from '../../../shared/ui/fields/name-search.tsx';

/** Describes the list's filter; stands after “all documents”. */
export function queryLabel({ q, state, tag }: DocumentListSearch, tags: Tag[]): string {
  const tagName = tags.find(({ tag_id }) => tag_id === tag)?.name;
  return [
    q !== undefined && `matching “${q}”`,
    state !== undefined && `in the state “${stageOptions.find(({ value }) => value === state)?.label}”`,
    tag !== undefined && `with the tag “${tagName ?? tag}”`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

interface DocumentFiltersProps {
  search: DocumentListSearch;
  onChange: (search: DocumentListSearch) => void;
}

/** `Select` has no empty value. */
const any = 'any';

/** The search by words and the filters of the list. */
export function DocumentFilters({ search, onChange }: DocumentFiltersProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const { page: _page, ...filters } = search;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <NameSearch value={search.q ?? ''} onChange={(q) => onChange({ ...filters, q })} />
      <Choice
        label="State"
        className="h-8"
        value={search.state ?? any}
        options={[{ value: any, label: 'Any state' }, ...stageOptions]}
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
