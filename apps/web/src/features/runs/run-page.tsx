import type { Run, RunEvent, runDocumentList } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { runQuery, runDocumentsKey, runEventsPath, runsKey } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { RunDocuments } from './run-documents.tsx';
import { RunActions } from './run-actions.tsx';
import { RunFacts, RunProgress } from './run-summary.tsx';
import { RunUndoState } from './run-undo.tsx';
import { runOutcomeLabel, runActionLabels, runStateLabel } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { useEffect } from 'react';
import type { z } from 'zod';
import { followEvents } from '../../shared/http/follow-events.ts';

const route = getRouteApi('/runs/$runId');

export function RunPage() {
  const { runId } = route.useParams();
  const { orgId } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...runQuery(orgId, runId),
    refetchInterval: ({ state }) => ((state.data?.parked ?? 0) > 0 ? pollParkedMs : false),
  });
  const run = query.data;
  useRunEvents(runId, run !== undefined && isActive(run));
  if (run === undefined) {
    return (
      <LoadingPage
        title="Run"
        back={<BackLink to="/runs">Runs</BackLink>}
        error={query.error}
        retry={() => void query.refetch()}
      />
    );
  }
  return (
    <Page
      title={`${runActionLabels[run.action]} · ${momentLabel(run.created_at, localTimezone())}`}
      back={<BackLink to="/runs">Runs</BackLink>}
      note={
        <output className="flex min-h-5 flex-wrap items-center gap-x-2">
          <StateMark {...runStateLabel(run)} />
          <span className={run.state === 'failed' ? 'text-bad' : ''}>{runOutcomeLabel(run)}</span>
        </output>
      }
      actions={<RunActions run={run} />}
    >
      {run.state === 'skipped' && <SkippedNotice run={run} />}
      <WaitingNotice run={run} />
      <RunUndoState run={run} />
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

/** Explains why a run was skipped. */
function SkippedNotice({ run: { due_at, skipped_times: times = 1 } }: { run: Run }) {
  const due = due_at === null ? '' : ` at ${momentLabel(due_at, localTimezone())}`;
  return (
    <Notice tone="warn">
      Skipped{times > 1 && ` ${times} times in a row`}: it was due{due} while the previous run was still active. Nothing
      is lost: the next run finds the same documents.
    </Notice>
  );
}

/** A run ends without waiting for the pending decisions. */
function WaitingNotice({ run: { id, parked } }: { run: Run }) {
  if (parked === 0) return null;
  return (
    <Notice tone="warn">
      {parked === 1 ? '1 document waits' : `${parked.toLocaleString()} documents wait`} for a decision.{' '}
      <Link to="/inbox" search={{ run: id }} className="font-medium underline underline-offset-2">
        Open the Inbox
      </Link>
    </Notice>
  );
}

/** Whether the run, its undo, or the execution of later decisions is in progress. */
function isActive({ ended_at, undo, waiting, parked, running }: Run): boolean {
  return ended_at === null || undo?.state === 'running' || waiting + running > parked;
}

/** Decisions are made on other pages: while some are pending, the run is polled. */
const pollParkedMs = 3_000;

/**
 * Follows a run to its end while its page is visible. Events update the run and its documents; after a change of the
 * counts the documents are reloaded, since others can belong on the page.
 */
function useRunEvents(runId: string, active: boolean): void {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!active) return;
    const one = runQuery(orgId, runId).queryKey;
    const documents = runDocumentsKey(orgId, runId);

    const showRun = (run: Run) => {
      queryClient.setQueryData(one, run);
      // The next event can arrive before a reload ends: the reload is not cancelled.
      void queryClient.invalidateQueries({ queryKey: documents }, { cancelRefetch: false });
    };
    const applyEvent = (event: RunEvent) => {
      if (event.type === 'document') {
        queryClient.setQueriesData<z.infer<typeof runDocumentList>>({ queryKey: documents }, (list) =>
          list === undefined
            ? undefined
            : {
                ...list,
                documents: list.documents.map((each) =>
                  each.document_id === event.document.document_id ? event.document : each,
                ),
              },
        );
        return;
      }
      showRun(event.run);
      if (event.type !== 'done') return;
      // Closes the finished stream: a browser would open it again.
      unfollow();
      void queryClient.invalidateQueries({ queryKey: documents });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'of'] });
      void queryClient.invalidateQueries({ queryKey: [...runsKey(orgId), 'list'] });
    };
    const unfollow = followEvents({
      path: runEventsPath(orgId, runId),
      types: ['run', 'document', 'done'] satisfies RunEvent['type'][],
      onEvent: (data) => applyEvent(JSON.parse(data) as RunEvent),
      onRejected: () => void queryClient.invalidateQueries({ queryKey: one }),
      retryAfterMs: 5000,
    });
    return unfollow;
  }, [orgId, runId, active, queryClient]);
}
