import type { Schedule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarClock, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { scheduleListQuery, scheduleRunsQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { SearchedList } from '../../shared/page/paged-list.tsx';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';
import { AreaLinks } from '../../shared/page/area-links.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { NextDue } from './next-due.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { actionLabel, canChange } from './schedule-labels.ts';
import { capitalize } from '../../shared/formats/capitalize.ts';
import { timingLabel } from '../../shared/formats/timing-labels.ts';
import { usePromptName } from '../../shared/labels/use-prompt-name.ts';
import { runOutcomeLabel, runStateLabel } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';

const route = getRouteApi('/schedules');

function NameCell({ schedule }: { schedule: Schedule }) {
  const promptName = usePromptName();
  const doing = actionLabel(schedule, promptName);
  const when = capitalize(timingLabel(schedule));
  return (
    <div className="min-w-0 py-1">
      <Link
        to="/schedules/$scheduleId"
        params={{ scheduleId: schedule.id }}
        title={schedule.name}
        className={rowLinkClass}
      >
        {schedule.name}
      </Link>
      <span className="block truncate text-xs text-ink-soft" title={doing}>
        {doing}
      </span>
      <span className="block truncate text-xs text-ink-soft md:hidden" title={when}>
        {when}
      </span>
    </div>
  );
}

function ActionsCell({ schedule }: { schedule: Schedule }) {
  return canChange(useSession(), schedule) ? <ScheduleActions schedule={schedule} withRun /> : null;
}

const columns: TableColumn<Schedule>[] = [
  { label: 'Name', render: (schedule) => <NameCell schedule={schedule} /> },
  {
    label: 'When',
    wideOnly: true,
    className: 'text-ink-soft',
    render: (schedule) => {
      const when = capitalize(timingLabel(schedule));
      return (
        <span className="line-clamp-2 wrap-anywhere" title={when}>
          {when}
        </span>
      );
    },
  },
  {
    label: 'Next due',
    wideOnly: true,
    className: 'w-40 text-ink-soft',
    render: (schedule) => <NextDue schedule={schedule} />,
  },
  {
    label: 'Last run',
    wideOnly: true,
    className: 'w-48',
    render: (schedule) => <LastOutcome schedule={schedule} />,
  },
  { label: 'On', className: 'relative w-16', render: (schedule) => <EnabledSwitch schedule={schedule} /> },
];
const actions: TableColumn<Schedule> = {
  label: 'Actions',
  labelHidden: true,
  className: 'relative w-12 text-right',
  render: (schedule) => <ActionsCell schedule={schedule} />,
};

export function ScheduleListPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const skip = ((search.page ?? 1) - 1) * pageSize;
  const list = useQuery(scheduleListQuery(orgId, { name_search: search.q, skip, limit: pageSize }));
  const onSearch = useCallback(
    (next: LibrarySearch, replace: boolean) => void navigate({ search: next, replace }),
    [navigate],
  );
  const create = canWrite && (
    <Link to="/schedules/new" className={linkButtonClass('primary')}>
      <Plus aria-hidden className="size-4" /> New schedule
    </Link>
  );
  return (
    <Page
      title="Schedules"
      note={
        canWrite
          ? 'Work that starts at set times, with the rights of the person who created the schedule.'
          : 'Work that starts at set times. Members can change the schedules they created, admins all.'
      }
      actions={create}
    >
      <AreaLinks area="schedules" />
      <SearchedList
        noun="schedules"
        search={search}
        onSearch={onSearch}
        items={list.data?.schedules}
        query={list}
        columns={canWrite ? [...columns, actions] : columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={CalendarClock} title="No schedules yet" actions={create}>
            {canWrite
              ? 'Extract every new document each morning, or prepare what was uploaded overnight.'
              : 'Members can create schedules. They and their runs appear here.'}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** A link to the newest run of a schedule, with its state and outcome. */
function LastOutcome({ schedule }: { schedule: Schedule }) {
  const { orgId } = useSession();
  const list = useQuery(scheduleRunsQuery(orgId, schedule.id, { skip: 0, limit: 1 }));
  if (list.isPending) return <Skeleton className="h-4 w-24" />;
  const run = list.data?.runs[0];
  if (run === undefined) return <span className="text-ink-faint">{list.isError ? '–' : 'Never'}</span>;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      title={runOutcomeLabel(run)}
      className="relative z-1 block min-w-0 rounded-sm hover:underline"
    >
      <StateMark {...runStateLabel(run)} />
      <span className="block truncate text-xs text-ink-soft">{runOutcomeLabel(run)}</span>
    </Link>
  );
}
