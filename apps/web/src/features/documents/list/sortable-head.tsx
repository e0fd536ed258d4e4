import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SortKey, sortOf } from '../../../shared/addresses/document-search.ts';

interface SortableHeadProps {
  by: SortKey;
  sort: ReturnType<typeof sortOf>;
  onSort: (key: SortKey) => void;
  className: string;
  children: ReactNode;
}

/** A column's heading that sorts by it; once more, the other way round. */
export function SortableHead({ by, sort, onSort, className, children }: SortableHeadProps) {
  const active = sort.sort === by;
  const Arrow = sort.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort(by)}
        className="inline-flex h-7 items-center gap-1 rounded-sm hover:text-ink"
      >
        {children}
        {active && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
