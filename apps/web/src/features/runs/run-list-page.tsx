import type { RunState } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ListChecks, Play, SearchX } from 'lucide-react';
import { runListQuery } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass } from '../../shared/page/page.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { AreaLinks } from '../../shared/page/run-area-links.tsx';
import { runColumns } from './run-columns.tsx';
import { runStateOptions } from '../../shared/formats/run-labels.ts';

const route = getRouteApi('/runs');

/** A choice has no empty value. */
const any = 'any';

export function RunListPage() {
  const { orgId, canWrite, organization } = useSession();
  const { state, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(runListQuery(orgId, { state, skip: (page - 1) * pageSize, limit: pageSize }));
  const runs = list.data?.runs;
  const none = runs?.length === 0;
  const start = canWrite && (
    <Link to="/runs/new" className={linkButtonClass('primary')}>
      <Play aria-hidden className="size-4" /> New run
    </Link>
  );
  return (
    <Page
      title="Runs"
      note={
        organization.role === 'admin'
          ? 'Work over many documents that nobody watches: what was due, what was started by hand.'
          : 'Work over many documents that nobody watches: those of schedules, and those you started.'
      }
      actions={start}
    >
      <AreaLinks />
      {(state !== undefined || !none) && (
        <Choice
          label="State"
          className="h-8 self-start"
          value={state ?? any}
          options={[{ value: any, label: 'Any state' }, ...runStateOptions]}
          onChange={(next) => void navigate({ search: next === any ? {} : { state: next as RunState } })}
        />
      )}
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {(runs !== undefined || !list.isError) && (
        <div className={panelClass}>
          {!none && <DataTable label="Runs" columns={runColumns} items={runs} keyOf={({ id }) => id} />}
          {none && (state !== undefined || page > 1) && (
            <EmptyState
              icon={SearchX}
              title="Nothing matches"
              actions={<Button onClick={() => void navigate({ search: {} })}>Show all runs</Button>}
            >
              No run is in this state, or the list ends before this page.
            </EmptyState>
          )}
          {none && state === undefined && page === 1 && (
            <EmptyState icon={ListChecks} title="No runs yet" actions={start}>
              {canWrite
                ? 'Send one message to many documents at once, or make a schedule that does its work by itself. Each pass over documents is listed here.'
                : 'You may read in this organization. Runs of schedules appear here; members start them.'}
            </EmptyState>
          )}
        </div>
      )}
      {runs !== undefined && !none && (
        <p className="text-xs text-ink-faint">Runs are kept for 90 days after they end.</p>
      )}
      {list.data && list.data.total_count > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={list.data.total_count}
          onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
        />
      )}
    </Page>
  );
}
