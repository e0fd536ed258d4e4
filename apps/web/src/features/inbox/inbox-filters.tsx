import type { Approval } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { callLabel } from '../../agent-ui/call-labels.ts';
import type { InboxSearch } from '../../shared/addresses/inbox-search.ts';
import { useSession } from '../../shared/session/session.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { groupCountQuery } from './approvals-api.ts';

interface InboxFiltersProps {
  search: InboxSearch;
  onSearch: (search: InboxSearch) => void;
  /** The listed groups, whose tools can be chosen. */
  groups: readonly Approval[];
}

const chips = [
  { from: undefined, label: 'All' },
  { from: 'chats', label: 'Chats' },
  { from: 'runs', label: 'Runs' },
] as const;
const any = 'any';

/** Filters the list by chats or runs and by tool, and shows the filters for the run or document in the URL. */
export function InboxFilters({ search, onSearch, groups }: InboxFiltersProps) {
  const { tool, run, document, from } = search;
  const { group: _open, ...filters } = search;
  const tools = new Set([...(tool === undefined ? [] : [tool]), ...groups.map((group) => group.tool)]);
  const options = [...tools].toSorted().map((value) => ({ value, label: callLabel(value) }));
  const without = (key: 'run' | 'document') => {
    const { [key]: _removed, ...rest } = filters;
    onSearch(rest);
  };
  const choose = (value: string) => {
    const { tool: _former, ...rest } = filters;
    onSearch(value === any ? rest : { ...rest, tool: value });
  };
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-line p-2">
      <fieldset aria-label="Where they come from" className="flex gap-1">
        {chips.map((chip) => (
          <FilterChip
            key={chip.label}
            label={chip.label}
            search={search}
            from={chip.from}
            isOn={from === chip.from}
            onChoose={() => {
              const { from: _former, ...rest } = filters;
              onSearch(chip.from === undefined ? rest : { ...rest, from: chip.from });
            }}
          />
        ))}
      </fieldset>
      <Choice
        label="Tool"
        className="ml-auto max-w-40 lg:max-w-28 lg:px-1.5 2xl:max-w-40"
        value={tool ?? any}
        options={[{ value: any, label: 'Any tool' }, ...options]}
        onChange={choose}
      />
      {run !== undefined && <Narrowed label="Of one run" onClear={() => without('run')} />}
      {document !== undefined && <Narrowed label="Of one document" onClear={() => without('document')} />}
    </div>
  );
}

interface FilterChipProps {
  label: string;
  search: InboxSearch;
  from: InboxSearch['from'];
  isOn: boolean;
  onChoose: () => void;
}

function FilterChip({ label, search, from, isOn, onChoose }: FilterChipProps) {
  const { orgId } = useSession();
  const { from: _own, group: _open, ...others } = search;
  const count = useQuery(groupCountQuery(orgId, from === undefined ? others : { ...others, from })).data;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onChoose}
      className={classNames(
        'h-7 rounded-md border px-1.5 text-sm max-md:h-9 max-md:px-2',
        isOn ? 'border-accent bg-accent-soft font-medium' : 'border-line bg-raised hover:bg-hover',
      )}
    >
      {label}
      {count !== undefined && <span className="text-ink-soft tabular-nums"> {count}</span>}
    </button>
  );
}

function Narrowed({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <button
      type="button"
      onClick={onClear}
      aria-label={`${label}: show all`}
      className="inline-flex h-7 items-center gap-1 rounded-md border border-accent bg-accent-soft px-2 text-sm"
    >
      {label} <X aria-hidden className="size-3.5" />
    </button>
  );
}
