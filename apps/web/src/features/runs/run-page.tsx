import type { Run } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { runQuery } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { backLinkClass, Page } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { localTimezone, momentWords } from '../../shared/formats/timing-labels.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { RunDocuments } from './run-documents.tsx';
import { RunFacts, RunProgress } from './run-summary.tsx';
import { outcomeWords, runActionWords, runStateWords } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { StopRun } from './stop-run.tsx';
import { useRunEvents } from './use-run-events.ts';

const route = getRouteApi('/runs/$runId');

export const runListLink = (
  <Link to="/runs" className={backLinkClass}>
    <ArrowLeft aria-hidden className="size-4" /> Runs
  </Link>
);

export function RunPage() {
  const { runId } = route.useParams();
  const { orgId } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const asked = useQuery(runQuery(orgId, runId));
  const run = asked.data;
  useRunEvents(runId, run?.ended_at === null);
  if (run === undefined) {
    return <LoadingPage title="Run" back={runListLink} error={asked.error} retry={() => void asked.refetch()} />;
  }
  return (
    <Page
      title={`${runActionWords[run.action]} · ${momentWords(run.created_at, localTimezone())}`}
      back={runListLink}
      note={
        <output className="flex min-h-5 flex-wrap items-center gap-x-2">
          <StateMark {...runStateWords(run)} />
          <span className={run.state === 'failed' ? 'text-bad' : ''}>{outcomeWords(run)}</span>
        </output>
      }
      actions={run.ended_at === null && <StopRun run={run} />}
    >
      {run.state === 'skipped' && <SkippedNotice run={run} />}
      <RunProgress run={run} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <RunDocuments
          run={run}
          search={search}
          onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        />
        <RunFacts run={run} />
      </div>
    </Page>
  );
}

/** Says what it means to be skipped; of all other ends the line above says enough. */
function SkippedNotice({ run: { due_at, skipped_times: times = 1 } }: { run: Run }) {
  const due = due_at === null ? '' : ` at ${momentWords(due_at, localTimezone())}`;
  return (
    <Notice tone="warn">
      Skipped{times > 1 && ` ${times} times in a row`}: it was due{due} while the run before it was still going. Nothing
      is lost: the next run finds the same documents.
    </Notice>
  );
}
