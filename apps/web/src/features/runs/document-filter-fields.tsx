import type { DocumentFilter, DocumentState } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { stateNames } from '../../shared/formats/document-state-labels.ts';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

interface DocumentFilterFieldsProps {
  filter: DocumentFilter;
  onChange: (filter: DocumentFilter) => void;
  /** The server's error message. */
  error?: string | undefined;
  /** What counts as a result here; if undefined, only tags and names can be filtered. */
  resultNote?: string;
}

/** The fields of a document filter; an empty field matches all documents. */
export function DocumentFilterFields({ filter, onChange, error, resultNote }: DocumentFilterFieldsProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  const { tag_ids = [], states = [], name_search = '', without_result = false } = filter;
  // A tag that was deleted can still be removed from the filter.
  const unlisted = tags === undefined ? [] : tag_ids.filter((id) => !tags.some(({ tag_id }) => tag_id === id));
  const change = (part: { [Key in keyof DocumentFilter]?: DocumentFilter[Key] | undefined }) =>
    onChange(withoutEmptyParts({ ...filter, ...part }));
  return (
    <div className="flex flex-col gap-4">
      <Chips
        legend="Tags"
        note={tags?.length === 0 ? 'There are no tags yet.' : 'Documents with all of these tags.'}
        error={error}
      >
        {tags === undefined && <Skeleton className="h-8 w-24" />}
        {tags?.map((tag) => (
          <Chip
            key={tag.tag_id}
            checked={tag_ids.includes(tag.tag_id)}
            onChange={() => change({ tag_ids: toggled(tag_ids, tag.tag_id) })}
          >
            <TagDot tag={tag} />
            <span className="truncate">{tag.name}</span>
          </Chip>
        ))}
        {unlisted.map((id) => (
          <Chip key={id} checked onChange={() => change({ tag_ids: toggled(tag_ids, id) })}>
            A tag that is not listed
          </Chip>
        ))}
      </Chips>
      {resultNote !== undefined && (
        <Chips legend="States" note="Documents in any of these states; all documents if none is selected.">
          {Object.entries(stateNames).map(([value, { label }]) => {
            const state = value as DocumentState;
            return (
              <Chip
                key={value}
                checked={states.includes(state)}
                onChange={() => change({ states: toggled(states, state) })}
              >
                {label}
              </Chip>
            );
          })}
        </Chips>
      )}
      <TextField
        label="Part of the name"
        maxLength={200}
        value={name_search}
        onChange={(event) => change({ name_search: event.target.value })}
      />
      {resultNote !== undefined && (
        <CheckField
          label="Only documents without a result"
          checked={without_result}
          onChange={(checked) => change({ without_result: checked })}
        >
          {resultNote}
        </CheckField>
      )}
    </div>
  );
}

const toggled = <Value,>(values: readonly Value[], value: Value): Value[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];

/** The filter without its empty parts. */
function withoutEmptyParts(filter: {
  [Key in keyof DocumentFilter]?: DocumentFilter[Key] | undefined;
}): DocumentFilter {
  const { tag_ids = [], states = [], name_search = '', without_result = false } = filter;
  return {
    ...(tag_ids.length === 0 ? {} : { tag_ids }),
    ...(states.length === 0 ? {} : { states }),
    ...(name_search === '' ? {} : { name_search }),
    ...(without_result ? { without_result } : {}),
  };
}

interface ChipsProps {
  legend: string;
  note: string;
  error?: string | undefined;
  children: ReactNode;
}

function Chips({ legend, note, error, children }: ChipsProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-1.5 empty:hidden">{children}</div>
      <p className="text-xs text-ink-faint">{note}</p>
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}

function Chip({ checked, onChange, children }: { checked: boolean; onChange: () => void; children: ReactNode }) {
  return (
    <label className="inline-flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft">
      <input type="checkbox" checked={checked} onChange={onChange} className="accent-accent" />
      {children}
    </label>
  );
}
