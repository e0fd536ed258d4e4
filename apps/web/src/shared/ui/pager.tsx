import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { FormEvent } from 'react';
import { IconButton } from './icon-button.tsx';

interface PagerProps {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  /** There are more than `total`, and no page shows them. */
  isMinimum?: boolean | undefined;
  onPage: (page: number) => void;
}

/** Steps through the pages of a list; with three or more pages, a field jumps to a page. */
export function Pager({ page, pageSize, total, isMinimum = false, onPage }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav aria-label="Pages of the list" className="flex items-center justify-end gap-1 text-sm text-ink-soft">
      <span className="mr-2 tabular-nums">
        {first > total ? 'Past the end' : `${first.toLocaleString()}–${last.toLocaleString()}`} of{' '}
        {isMinimum && 'more than '}
        {total.toLocaleString()}
      </span>
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-4" />
      </IconButton>
      {pages > 2 && <PageJump key={page} page={page} pages={pages} onPage={onPage} />}
      <IconButton label="Next page" disabled={last >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight className="size-4" />
      </IconButton>
    </nav>
  );
}

function PageJump({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const jump = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = Math.round(Number(new FormData(event.currentTarget).get('page')));
    if (Number.isFinite(typed)) onPage(Math.min(pages, Math.max(1, typed)));
  };
  return (
    <form onSubmit={jump} className="flex items-center gap-1 tabular-nums">
      <input
        name="page"
        aria-label={`Page, 1 to ${pages}`}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={page}
        onFocus={(event) => event.target.select()}
        className="h-7 w-12 rounded-md border border-line bg-raised px-1 text-center text-ink"
      />
      <span>/ {pages.toLocaleString()}</span>
    </form>
  );
}
