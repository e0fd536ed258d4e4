import type { RunState } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ListChecks, Play } from 'lucide-react';
import { runListQuery } from '../../shared/api/runs-api.ts';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { AreaLinks } from '../../shared/page/area-links.tsx';
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
          ? 'Work over many documents at once: scheduled and started by hand.'
          : 'Work over many documents at once: scheduled, and those you started.'
      }
      actions={start}
    >
      <AreaLinks area="schedules" />
      <PagedList
        noun="runs"
        page={page}
        onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
        filtered={state !== undefined}
        filter={
          <Choice
            label="State"
            className="h-8 self-start"
            value={state ?? any}
            options={[{ value: any, label: 'Any state' }, ...runStateOptions]}
            onChange={(next) => void navigate({ search: next === any ? {} : { state: next as RunState } })}
          />
        }
        onShowAll={() => void navigate({ search: {} })}
        items={list.data?.runs}
        query={list}
        columns={runColumns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={ListChecks} title="No runs yet" actions={start}>
            {canWrite
              ? 'Send one message to many documents, or create a schedule. Every run is listed here.'
              : 'You can view this organization. Runs of schedules appear here; members start them.'}
          </EmptyState>
        }
        note={<p className="text-xs text-ink-faint">Runs are kept for 90 days after they end.</p>}
      />
    </Page>
  );
}
