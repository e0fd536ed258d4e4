import { maxConditions, type WhereCondition } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import type { ResultSearch, ResultShow } from '../../../shared/addresses/result-search.ts';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Choice } from '../../../shared/ui/fields/choice.tsx';
import type { ShownColumn } from '../columns/result-columns.ts';
import { conditionsOf, conditionWords, whereOf } from './condition-words.ts';
import { FilterForm } from './filter-form.tsx';

/** `Select` has no empty value. */
const any = 'any';

const shows: { value: ResultShow; label: string }[] = [
  { value: 'released', label: 'Released' },
  { value: 'open', label: 'Not released' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'verified', label: 'Verified' },
  { value: 'unverified', label: 'Not verified' },
];

interface FilterBarProps {
  search: ResultSearch;
  columns: ShownColumn[];
  onChange: (change: Partial<Record<keyof ResultSearch, ResultSearch[keyof ResultSearch]>>) => void;
}

/** State, tag and conditions in words. */
export function FilterBar({ search, columns, onChange }: FilterBarProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  /** The number of the condition in the form; one beyond the last for a new one. */
  const [edited, setEdited] = useState<number>();
  const conditions = conditionsOf(search.where);
  const set = (next: WhereCondition[]) => onChange({ where: whereOf(next) });
  const save = (condition: WhereCondition) => {
    if (edited !== undefined) set(conditions.toSpliced(edited, 1, condition));
    setEdited(undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Choice
        label="State"
        value={search.show ?? any}
        options={[{ value: any, label: 'Any state' }, ...shows]}
        onChange={(show) => onChange({ show: show === any ? undefined : show })}
      />
      {tags.length > 0 && (
        <Choice
          label="Tag"
          className="max-w-44"
          value={search.tag ?? any}
          options={[{ value: any, label: 'Any tag' }, ...tags.map((tag) => ({ value: tag.tag_id, label: tag.name }))]}
          onChange={(tag) => onChange({ tag: tag === any ? undefined : tag })}
        />
      )}
      {search.documents !== undefined && (
        <Chip
          label={counted(search.documents.length, 'chosen document')}
          removeLabel="Show all documents"
          onRemove={() => onChange({ documents: undefined })}
        />
      )}
      {conditions.map((condition, at) => {
        const words = conditionWords(condition, columns);
        return (
          <Chip
            key={`${at} ${words}`}
            label={words}
            onEdit={() => setEdited(at)}
            removeLabel={`Remove the filter: ${words}`}
            onRemove={() => set(conditions.toSpliced(at, 1))}
          />
        );
      })}
      <Button
        size="small"
        disabled={conditions.length >= maxConditions || columns.length === 0}
        title={conditions.length >= maxConditions ? `At most ${maxConditions} filters` : undefined}
        onClick={() => setEdited(conditions.length)}
      >
        <ListFilter aria-hidden className="size-3.5" /> Add filter
      </Button>
      {edited !== undefined && (
        <FilterForm
          columns={columns}
          condition={conditions[edited]}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

interface ChipProps {
  label: string;
  onEdit?: () => void;
  removeLabel: string;
  onRemove: () => void;
}

function Chip({ label, onEdit, removeLabel, onRemove }: ChipProps) {
  const text = 'max-w-72 truncate px-2';
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center rounded-md border border-accent bg-accent-soft text-sm">
      {onEdit === undefined ? (
        <span className={text}>{label}</span>
      ) : (
        <button type="button" title={`Change: ${label}`} onClick={onEdit} className={`${text} rounded-md`}>
          {label}
        </button>
      )}
      <button
        type="button"
        aria-label={removeLabel}
        onClick={onRemove}
        className="flex h-full items-center rounded-md px-1 text-ink-soft hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
