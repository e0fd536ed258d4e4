import type { Prompt, ResultPage as Page, WhereCondition } from '@docwright/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX, Table2 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { isFiltered, resultFilterOf, type ResultSearch } from '../../shared/addresses/result-search.ts';
import { promptsQuery } from '../../shared/api/library-api.ts';
import { promptVersionsQuery } from '../../shared/api/prompts-api.ts';
import { resultBlockQuery, type ResultRequest } from '../../shared/api/results-api.ts';
import { counted } from '../../shared/formats/counted.ts';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { DocumentsLink } from '../../shared/page/documents-link.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { readStored, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { PageKeys, type KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';
import { ColumnMenu } from './columns/column-menu.tsx';
import { ExportMenu, ExportStrip } from './export/export-menu.tsx';
import { useExport } from './export/use-export.ts';
import { conditionsOf, whereOf } from './filters/condition-words.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { columnLabel, resultColumns, shownColumns, type ShownColumn } from './columns/result-columns.ts';
import { ResultGrid } from './result-grid.tsx';
import { ResultTotals } from './result-totals.tsx';
import { maxScrolledRows } from './use-rows.ts';
import { ViewsMenu } from './views-menu.tsx';

const route = getRouteApi('/results');

const keys: KeyHint[] = [
  ['↑ ↓ ← →', 'Move in the table'],
  ['Enter', 'Open the document at the value, or sort by the column'],
  ['Page ↑ ↓', 'A screen up or down'],
  ['Ctrl Home, End', 'First or last row'],
];

const lastPromptKey = (orgId: string) => `docwright.results.${orgId}`;

type Change = Partial<Record<keyof ResultSearch, ResultSearch[keyof ResultSearch]>>;

/** The results of a prompt over many documents: filters, order, totals, views and exports. */
export function ResultsPage() {
  const { organization, orgId } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const prompts = useQuery(promptsQuery(orgId));
  const listed = prompts.data?.prompts;
  const stored = readStored(lastPromptKey(orgId));
  const promptId = search.prompt ?? (listed?.find(({ prompt_id }) => prompt_id === stored) ?? listed?.[0])?.prompt_id;
  useEffect(() => {
    if (promptId !== undefined) writeStored(lastPromptKey(orgId), promptId);
  }, [orgId, promptId]);
  const onSearch = (next: ResultSearch) => void navigate({ search: next, replace: true });
  return (
    <>
      <title>Results · Docwright</title>
      <PageKeys keys={keys} />
      <AppHeader>
        <span className="truncate text-sm text-ink-soft">{organization.name}</span>
      </AppHeader>
      <main className="flex min-h-0 flex-1 flex-col gap-2 p-3 max-md:overflow-auto md:p-4">
        {promptId === undefined ? (
          <>
            <h1 className="text-xl font-semibold">Results</h1>
            {prompts.error !== null && <RetryNotice error={prompts.error} retry={() => void prompts.refetch()} />}
            {listed?.length === 0 && <NoPrompts />}
          </>
        ) : (
          <PromptResults
            key={promptId}
            promptId={promptId}
            prompts={listed ?? []}
            search={search}
            onSearch={onSearch}
          />
        )}
      </main>
    </>
  );
}

function NoPrompts() {
  return (
    <div className={panelClass}>
      <EmptyState icon={Table2} title="No results yet" actions={<DocumentsLink />}>
        Results are here once a prompt has read documents. Upload documents, and let the agent prepare them.
      </EmptyState>
    </div>
  );
}

interface PromptResultsProps {
  promptId: string;
  prompts: Prompt[];
  search: ResultSearch;
  onSearch: (search: ResultSearch) => void;
}

function PromptResults({ promptId, prompts, search, onSearch }: PromptResultsProps) {
  const { orgId } = useSession();
  const isListed = prompts.some(({ prompt_id }) => prompt_id === promptId);
  // A prompt beyond the first hundred, or one whose review is pending.
  const other = useQuery({ ...promptVersionsQuery(orgId, promptId), enabled: prompts.length > 0 && !isListed });
  const unlisted = other.data?.prompts[0];
  const options = unlisted === undefined ? prompts : [unlisted, ...prompts];
  const name = options.find(({ prompt_id }) => prompt_id === promptId)?.name ?? 'Prompt';

  const filter = resultFilterOf(search);
  const request: ResultRequest = { ...filter, sort: search.sort, columns: search.columns };
  const first = useQuery({ ...resultBlockQuery(orgId, promptId, request, 0), placeholderData: keepPreviousData });
  const head = first.data;
  const all = useMemo(() => (head ? resultColumns(head.columns, head.rows) : []), [head]);
  const columns = useStable(shownColumns(all, search.columns));
  const exporting = useExport(orgId, promptId, name);

  const change = (changes: Change) => onSearch(withoutUndefined({ ...search, prompt: promptId, ...changes }));
  const onSort = (path: string) => {
    const next = search.sort === path ? `-${path}` : search.sort === `-${path}` ? undefined : path;
    change({ sort: next });
  };
  const onGroup = (condition: WhereCondition) => {
    const others = conditionsOf(search.where).filter(({ path, op }) => path !== condition.path || op !== '=');
    change({ where: whereOf([...others, condition]), group: undefined });
  };
  const tables = head?.tables ?? [];
  return (
    <>
      <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-2">
        <h1 className="text-xl font-semibold">Results</h1>
        <Choice
          label="Prompt"
          className="h-8 max-w-64 font-medium"
          value={promptId}
          options={options.map(({ prompt_id, name: label }) => ({ value: prompt_id, label }))}
          onChange={(prompt) => onSearch({ prompt, ...(search.documents && { documents: search.documents }) })}
        />
        {(tables.length > 0 || search.table !== undefined) && (
          <Choice
            label="Rows"
            className="h-8 max-w-56"
            value={search.table ?? ''}
            options={[
              { value: '', label: 'A row for each document' },
              ...[...new Set([...tables, ...(search.table === undefined ? [] : [search.table])])].map((table) => ({
                value: table,
                label: `A row for each of ${columnLabel(table)}`,
              })),
            ]}
            // Columns of the items exist only there.
            onChange={(table) =>
              change({ table: table || undefined, columns: undefined, sort: undefined, where: undefined })
            }
          />
        )}
        <Link to="/prompts/$promptId" params={{ promptId }} className={`${textLinkClass} text-sm max-sm:hidden`}>
          Open the prompt
        </Link>
        <Link to="/ask" search={{ prompt: promptId }} className={`${textLinkClass} text-sm`}>
          Ask
        </Link>
        <div className="ml-auto">
          <ExportMenu
            total={head?.total_count ?? 0}
            request={{ ...request, columns: columns.map(({ path }) => path) }}
            start={exporting.start}
            disabled={exporting.progress !== undefined && exporting.progress.error === undefined}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <ViewsMenu
          promptId={promptId}
          search={search}
          onChoose={(view) => change({ columns: undefined, where: undefined, sort: undefined, ...view })}
        />
        <ColumnMenu all={all} chosen={search.columns} onChange={(chosen) => change({ columns: chosen })} />
        <FilterBar search={search} columns={all} onChange={change} />
      </div>
      <ResultTotals
        promptId={promptId}
        search={search}
        columns={all}
        total={head?.total_count}
        onChange={change}
        onGroup={onGroup}
      />
      <ExportStrip progress={exporting.progress} stop={exporting.stop} />
      {head?.lag && (
        <output className="text-xs text-ink-soft">
          {counted(head.lag.pending, 'result')} will follow in a moment.
        </output>
      )}
      {head && head.total_count > maxScrolledRows && (
        <p className="text-xs text-ink-soft">
          The table shows the first {maxScrolledRows.toLocaleString()} rows. Filter them, or export all.
        </p>
      )}
      {first.error !== null && <RetryNotice error={first.error} retry={() => void first.refetch()} />}
      <Rows
        head={head}
        hasFailed={first.error !== null}
        isStale={first.isPlaceholderData}
        source={{ orgId, promptId, request }}
        name={name}
        columns={columns}
        search={search}
        onSort={onSort}
        onShowAll={() => onSearch({ prompt: promptId })}
      />
    </>
  );
}

interface RowsProps {
  head: Page | undefined;
  hasFailed: boolean;
  isStale: boolean;
  source: { orgId: string; promptId: string; request: ResultRequest };
  name: string;
  columns: ShownColumn[];
  search: ResultSearch;
  onSort: (path: string) => void;
  onShowAll: () => void;
}

function Rows({ head, hasFailed, isStale, source, name, columns, search, onSort, onShowAll }: RowsProps) {
  if (head === undefined) {
    if (hasFailed) return <Button onClick={onShowAll}>Show all results</Button>;
    return (
      <output aria-label="Loading" className={`${panelClass} flex min-h-48 flex-1 flex-col gap-4 p-4`}>
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-4 w-1/2" />
      </output>
    );
  }
  if (head.total_count > 0) {
    return (
      <ResultGrid
        label={`Results of ${name}`}
        source={{ ...source, head }}
        isStale={isStale}
        columns={columns}
        table={search.table}
        sort={search.sort}
        onSort={onSort}
      />
    );
  }
  return (
    <div className={panelClass}>
      {isFiltered(search) ? (
        <EmptyState
          icon={SearchX}
          title="Nothing matches"
          actions={<Button onClick={onShowAll}>Show all results</Button>}
        >
          No result of “{name}” fits the filters.
        </EmptyState>
      ) : (
        <EmptyState icon={Table2} title="No results yet" actions={<DocumentsLink />}>
          Select documents in the list and extract with “{name}”.
        </EmptyState>
      )}
    </div>
  );
}

const withoutUndefined = (search: Change): ResultSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as ResultSearch;

/** The same list while its columns are the same, so that a refreshed answer does not render every row. */
function useStable(columns: ShownColumn[]): ShownColumn[] {
  const key = JSON.stringify(columns);
  return useMemo(() => JSON.parse(key) as ShownColumn[], [key]);
}
