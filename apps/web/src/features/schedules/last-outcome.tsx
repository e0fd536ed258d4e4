import type { Schedule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scheduleRunsQuery } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { outcomeWords, runStateWords } from '../../shared/formats/run-labels.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';

/** How the newest run of a schedule ended, or stands, as the way to it. */
export function LastOutcome({ schedule }: { schedule: Schedule }) {
  const { orgId } = useSession();
  const list = useQuery(scheduleRunsQuery(orgId, schedule.id, { skip: 0, limit: 1 }));
  if (list.isPending) return <Skeleton className="h-4 w-24" />;
  const run = list.data?.runs[0];
  if (run === undefined) return <span className="text-ink-faint">{list.isError ? '–' : 'Never ran'}</span>;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      title={outcomeWords(run)}
      className="relative z-1 block min-w-0 rounded-sm hover:underline"
    >
      <StateMark {...runStateWords(run)} />
      <span className="block truncate text-xs text-ink-soft">{outcomeWords(run)}</span>
    </Link>
  );
}
