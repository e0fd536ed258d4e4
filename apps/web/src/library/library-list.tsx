import { SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { panelClass } from '../layout/page.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NameSearch } from '../ui/name-search.tsx';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { pageSize, type LibrarySearch } from './library-search.ts';

interface LibraryListProps<Item> {
  /** In the plural: "schemas". */
  noun: string;
  search: LibrarySearch;
  /** Should keep its identity between renders. */
  onSearch: (search: LibrarySearch, replace: boolean) => void;
  items: Item[] | undefined;
  total: number | undefined;
  error: unknown;
  retry: () => void;
  columns: Column<Item>[];
  keyOf: (item: Item) => string;
  /** Shown where there is nothing at all yet. */
  empty: ReactNode;
}

/** A searched and paged list of schemas, prompts or tags. */
export function LibraryList<Item>(props: LibraryListProps<Item>) {
  const { noun, search, onSearch, items, total, error, retry, columns, keyOf, empty } = props;
  const onName = useCallback((q: string) => onSearch(q === '' ? {} : { q }, true), [onSearch]);
  const page = search.page ?? 1;
  const none = items?.length === 0;
  return (
    <>
      {(search.q !== undefined || !none) && <NameSearch value={search.q ?? ''} onChange={onName} />}
      {error !== null && <RetryNotice error={error} retry={retry} />}
      {(error === null || items !== undefined) && (
        <div className={panelClass}>
          {!none && <DataTable label={noun} columns={columns} items={items} keyOf={keyOf} />}
          {none && search.q === undefined && page === 1 && empty}
          {none && (search.q !== undefined || page > 1) && (
            <EmptyState
              icon={SearchX}
              title="Nothing matches"
              actions={<Button onClick={() => onSearch({}, false)}>Show all {noun}</Button>}
            >
              {search.q === undefined ? 'The list ends before this page.' : `None of the ${noun} has this in its name.`}
            </EmptyState>
          )}
        </div>
      )}
      {total !== undefined && total > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          onPage={(next) => onSearch({ ...search, page: next }, false)}
        />
      )}
    </>
  );
}
