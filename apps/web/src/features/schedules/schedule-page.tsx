import type { Schedule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ListChecks, Pencil, Play } from 'lucide-react';
import { scheduleQuery, scheduleRunsQuery, changeSchedule, schedulesKey } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { runColumnsOfSchedule } from '../runs/index.ts';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { DataTable } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { ScheduleActions, useRunNow } from './schedule-actions.tsx';
import { canChange, actionLabel } from './schedule-labels.ts';
import { membersQuery } from '../../shared/api/account/members-api.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { matchingQuery } from '../../shared/api/runs-api.ts';
import { stateNames } from '../../shared/formats/document-state-labels.ts';
import { TagChips } from '../../shared/labels/tag-chips.tsx';
import { NextDue } from './next-due.tsx';
import { capitalize } from '../../shared/formats/capitalize.ts';
import { timingLabel } from '../../shared/formats/timing-labels.ts';
import { usePromptName } from '../../shared/labels/use-prompt-name.ts';
import { counted } from '../../shared/formats/counted.ts';
import { FactRow, FactList } from '../../shared/ui/fact-list.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { useChange } from '../../shared/page/use-change.ts';

const route = getRouteApi('/schedules/$scheduleId');

export function SchedulePage() {
  const { scheduleId } = route.useParams();
  const session = useSession();
  const query = useQuery(scheduleQuery(session.orgId, scheduleId));
  const schedule = query.data;
  if (schedule === undefined) {
    const retry = () => void query.refetch();
    return (
      <LoadingPage
        title="Schedule"
        back={<BackLink to="/schedules">Schedules</BackLink>}
        error={query.error}
        retry={retry}
      />
    );
  }
  const isAllowed = canChange(session, schedule);
  return (
    <Page
      title={schedule.name}
      back={<BackLink to="/schedules">Schedules</BackLink>}
      note={
        <>
          Created <Written at={schedule.created_at} by={schedule.created_by} />
          {!isAllowed && ' · They and admins can change and run it.'}
        </>
      }
      actions={isAllowed && <PageActions schedule={schedule} />}
    >
      <OrphanNotice schedule={schedule} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ScheduleRuns schedule={schedule} isAllowed={isAllowed} />
        <section aria-label="The schedule" className="flex min-w-0 flex-col gap-3 max-lg:order-first">
          <div className={`${panelClass} flex items-center justify-between gap-3 p-3`}>
            <span className="text-sm">
              <span className="font-medium">{schedule.enabled ? 'On' : 'Off'}</span>
              <span className="block text-xs text-ink-soft">
                {schedule.enabled ? 'It runs when it is due.' : 'It has no due time; run it by hand.'}
              </span>
            </span>
            {isAllowed && <EnabledSwitch schedule={schedule} />}
          </div>
          <ScheduleFacts schedule={schedule} />
        </section>
      </div>
    </Page>
  );
}

function PageActions({ schedule }: { schedule: Schedule }) {
  const navigate = useNavigate();
  const running = useRunNow(schedule);
  return (
    <>
      <Button look="primary" disabled={running.isPending} onClick={() => running.mutate()}>
        <Play aria-hidden className="size-4" /> Run now
      </Button>
      <Link
        to="/schedules/$scheduleId/edit"
        params={{ scheduleId: schedule.id }}
        className={linkButtonClass('secondary')}
      >
        <Pencil aria-hidden className="size-3.5" /> Edit
      </Link>
      <ScheduleActions schedule={schedule} onDeleted={() => void navigate({ to: '/schedules' })} />
    </>
  );
}

function ScheduleRuns({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const { orgId } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(scheduleRunsQuery(orgId, schedule.id, { skip: (page - 1) * pageSize, limit: pageSize }));
  const runs = list.data?.runs;
  return (
    <PageSection title="Runs">
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      <div className={panelClass}>
        {runs?.length === 0 ? (
          <EmptyState icon={ListChecks} title="It has not run yet">
            {isAllowed ? 'It runs when it is due. “Run now” starts it at once.' : 'It runs when it is due.'}
          </EmptyState>
        ) : (
          <DataTable label="Runs" columns={runColumnsOfSchedule} items={runs} keyOf={({ id }) => id} />
        )}
      </div>
      {list.data && list.data.total_count > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={list.data.total_count}
          onPage={(next) => void navigate({ search: { page: next } })}
        />
      )}
    </PageSection>
  );
}

/** Warns that the runs of a schedule will fail, since its creator has left or can no longer write. */
function OrphanNotice({ schedule }: { schedule: Schedule }) {
  const { orgId, organization } = useSession();
  const list = useQuery(membersQuery(orgId)).data;
  // Any change by an admin makes the admin its creator.
  const takingOver = useChange(() => changeSchedule(orgId, schedule.id, {}), {
    refreshes: [schedulesKey(orgId)],
    showsError: true,
  });
  const creator = list?.members.find(({ user_id }) => user_id === schedule.created_by);
  const allKnown = list !== undefined && list.total_count === list.members.length;
  if (!allKnown || (creator !== undefined && creator.role !== 'viewer')) return null;
  const isAdmin = organization.role === 'admin';
  return (
    <Notice
      tone="warn"
      actions={
        isAdmin && (
          <Button size="small" disabled={takingOver.isPending} onClick={() => takingOver.mutate()}>
            Take it over
          </Button>
        )
      }
    >
      {creator === undefined
        ? 'The creator of this schedule left the organization'
        : `${creator.name} can only read now`}
      : its runs fail when they are due.{' '}
      {isAdmin ? 'Take it over to run it with your rights.' : 'An admin can take it over.'}
    </Notice>
  );
}

/** Describes when a schedule runs, what it does and for which documents. */
function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { orgId } = useSession();
  const promptName = usePromptName();
  const { filter, prompt_id, max_documents, message } = schedule;
  const matching = { filter, ...(prompt_id === undefined ? {} : { prompt_id }) };
  const matched = useQuery(matchingQuery(orgId, matching)).data?.matched;
  const states = filter.states?.map((state) => stateNames[state].label);
  const all = Object.keys(filter).length === 0;
  return (
    <FactList className={`${panelClass} p-3`}>
      <FactRow term="When">{capitalize(timingLabel(schedule))}</FactRow>
      <FactRow term="Next due">
        <NextDue schedule={schedule} />
      </FactRow>
      <FactRow term="Does">{actionLabel(schedule, promptName)}</FactRow>
      {message !== undefined && (
        <FactRow term="Message">
          <span className="whitespace-pre-wrap">{message}</span>
        </FactRow>
      )}
      {all && <FactRow term="Documents">All of them</FactRow>}
      {filter.tag_ids !== undefined && filter.tag_ids.length > 0 && (
        <FactRow term="With all tags">
          <TagChips tagIds={filter.tag_ids} />
        </FactRow>
      )}
      {states !== undefined && <FactRow term="State">{states.join(', ')}</FactRow>}
      {filter.name_search !== undefined && <FactRow term="Name contains">“{filter.name_search}”</FactRow>}
      {filter.without_result === true && (
        <FactRow term="Only those">
          {prompt_id === undefined ? 'Without an extraction' : 'Without an extraction of the prompt'}
        </FactRow>
      )}
      <FactRow term="Matches now">{matched === undefined ? '…' : counted(matched, 'document')}</FactRow>
      {max_documents !== undefined && <FactRow term="At most">{counted(max_documents, 'document')} in one run</FactRow>}
    </FactList>
  );
}
