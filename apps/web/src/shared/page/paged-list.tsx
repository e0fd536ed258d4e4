import { SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { pageSize, type LibrarySearch } from '../addresses/library-search.ts';
import { Button } from '../ui/button.tsx';
import { DataTable, type TableColumn } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NameSearch } from '../ui/fields/name-search.tsx';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { panelClass } from './page.tsx';

interface PagedListProps<Item> {
  /** Plural: "schemas". */
  noun: string;
  /** From 1. */
  page?: number | undefined;
  onPage: (page: number) => void;
  /** Whether a search or filter is set: an empty list then offers to show everything. */
  filtered?: boolean;
  /** The search and filter controls; hidden while there is nothing to filter. */
  filter?: ReactNode;
  onShowAll: () => void;
  /** Undefined while the page loads. */
  items: Item[] | undefined;
  /** The query that reads the page. */
  query: {
    data: { total_count: number; total_is_minimum?: true | undefined; unreadable?: string[] | undefined } | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
  };
  columns: TableColumn<Item>[];
  keyOf: (item: Item) => string;
  /** Shown when no item exists yet. */
  empty: ReactNode;
  /** Shown below a list with items. */
  note?: ReactNode;
}

/** A list page's content: filter, table, empty and error states, and pager. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const { noun, page = 1, onPage, filtered = false, filter, onShowAll, items, query } = props;
  const { columns, keyOf, empty, note } = props;
  const { error } = query;
  const total = query.data?.total_count;
  const isEmpty = items?.length === 0;
  const hasOtherItems = isEmpty && (filtered || page > 1);
  return (
    <>
      {(filtered || !isEmpty) && filter}
      {error !== null && <RetryNotice error={error} retry={() => void query.refetch()} />}
      {(error === null || items !== undefined) && (
        <div className={panelClass}>
          {!isEmpty && <DataTable label={noun} columns={columns} items={items} keyOf={keyOf} />}
          {isEmpty && !hasOtherItems && empty}
          {hasOtherItems && (
            <EmptyState
              icon={SearchX}
              title="Nothing matches"
              actions={<Button onClick={onShowAll}>Show all {noun}</Button>}
            >
              {filtered ? `No ${noun} match.` : 'The list ends before this page.'}
            </EmptyState>
          )}
        </div>
      )}
      {query.data?.unreadable !== undefined && (
        <p className="text-sm wrap-anywhere text-ink-soft">
          Damaged, and left out: {query.data.unreadable.join(', ')}. Your operator finds the reason in the log.
        </p>
      )}
      {items !== undefined && !isEmpty && note}
      {total !== undefined && total > pageSize && (
        <Pager page={page} pageSize={pageSize} total={total} isMinimum={query.data?.total_is_minimum} onPage={onPage} />
      )}
    </>
  );
}

interface SearchedListProps<Item> extends Omit<
  PagedListProps<Item>,
  'page' | 'onPage' | 'filter' | 'filtered' | 'onShowAll'
> {
  search: LibrarySearch;
  /** Should keep its identity between renders. */
  onSearch: (search: LibrarySearch, replace: boolean) => void;
}

/** A paged list with a search by name. */
export function SearchedList<Item>({ search, onSearch, ...list }: SearchedListProps<Item>) {
  const onName = useCallback((q: string) => onSearch(q === '' ? {} : { q }, true), [onSearch]);
  return (
    <PagedList
      {...list}
      page={search.page}
      onPage={(page) => onSearch({ ...search, page }, false)}
      filtered={search.q !== undefined}
      filter={<NameSearch value={search.q ?? ''} onChange={onName} />}
      onShowAll={() => onSearch({}, false)}
    />
  );
}
