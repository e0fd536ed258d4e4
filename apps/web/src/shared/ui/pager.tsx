import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from './icon-button.tsx';

interface PagerProps {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav aria-label="Pages of the list" className="flex items-center justify-end gap-1 text-sm text-ink-soft">
      <span className="mr-2 tabular-nums">
        {first > total ? 'Past the end' : `${first}–${last}`} of {total}
      </span>
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-4" />
      </IconButton>
      <IconButton label="Next page" disabled={last >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight className="size-4" />
      </IconButton>
    </nav>
  );
}
