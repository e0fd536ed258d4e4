import { SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { DataTable, type Column } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { NameSearch } from '../../shared/ui/fields/name-search.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';

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
