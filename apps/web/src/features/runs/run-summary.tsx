import type { Run } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { callLabel } from '../../agent-ui/call-labels.ts';
import { panelClass } from '../../shared/page/page.tsx';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';
import { useScheduleName } from '../../shared/labels/use-schedule-name.ts';
import { progressOf } from '../../shared/formats/run-labels.ts';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { FactRow, FactList } from '../../shared/ui/fact-list.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

/** The progress of a run, with its counts. */
export function RunProgress({ run }: { run: Run }) {
  const { total, matched, succeeded, failed, cancelled, skipped, parked, spu_used } = run;
  const through = succeeded + failed + cancelled + skipped + parked;
  return (
    <div className={`${panelClass} flex flex-col gap-3 p-3`}>
      <ProgressBar label="Documents done" max={1} value={progressOf(run)} />
      <dl className="grid grid-cols-2 gap-3 sm:grid-flow-col sm:auto-cols-fr sm:grid-cols-none [&_dt]:text-xs [&_dt]:text-ink-soft">
        <Figure term="Matched" value={matched} note={total < matched ? `${total.toLocaleString()} in this run` : ''} />
        <Figure term="Succeeded" value={succeeded} tone={succeeded > 0 ? 'text-good' : ''} />
        <Figure term="Failed" value={failed} tone={failed > 0 ? 'text-bad' : ''} />
        <Figure
          term={run.ended_at === null ? 'Remaining' : 'Cancelled'}
          value={run.ended_at === null ? total - through : cancelled}
        />
        {parked > 0 && <Figure term="For your decision" value={parked} tone="text-warn" />}
        {skipped > 0 && <Figure term="Skipped" value={skipped} note="Corrected or verified" />}
        <Figure term="SPU used" value={spu_used} />
      </dl>
    </div>
  );
}

function Figure({ term, value, note = '', tone = '' }: { term: string; value: number; note?: string; tone?: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <span className={`text-lg font-semibold tabular-nums ${tone}`}>{Math.max(value, 0).toLocaleString()}</span>
        {note !== '' && <span className="block text-xs text-ink-soft">{note}</span>}
      </dd>
    </div>
  );
}

/** Who or what started the run, and when. */
export function RunFacts({ run }: { run: Run }) {
  const memberName = useMemberName();
  const timezone = localTimezone();
  const moment = (iso: string | null, none: string) =>
    iso === null ? none : <time dateTime={iso}>{momentLabel(iso, timezone)}</time>;
  return (
    <FactList className={`${panelClass} p-3`}>
      <FactRow term="Why">
        <Origin run={run} />
      </FactRow>
      <FactRow term="In the name of">{memberName(run.requested_by)}</FactRow>
      {run.due_at !== null && <FactRow term="Due">{moment(run.due_at, '')}</FactRow>}
      <FactRow term="Started">{moment(run.started_at, run.ended_at === null ? 'Not yet' : 'Never')}</FactRow>
      <FactRow term="Ended">{moment(run.ended_at, 'Still running')}</FactRow>
      {run.message !== null && (
        <FactRow term="Message">
          <span className="whitespace-pre-wrap">{run.message}</span>
        </FactRow>
      )}
      {run.action === 'chat' && (
        <FactRow term="Runs automatically">
          {run.auto_approved_tools.length === 0
            ? run.on_ask === 'park'
              ? 'Read-only tools. Changes wait in the Inbox.'
              : 'Read-only tools. Nothing can change.'
            : run.auto_approved_tools.map(callLabel).join(', ')}
        </FactRow>
      )}
    </FactList>
  );
}

function Origin({ run }: { run: Run }) {
  const name = useScheduleName()(run.schedule_id ?? '');
  if (run.schedule_id === null) return 'Started by hand';
  const byHand = run.trigger === 'manual';
  if (name === undefined) return byHand ? 'Started by hand, from a deleted schedule' : 'Deleted schedule';
  return (
    <>
      {byHand ? 'Started by hand, from the schedule' : 'Scheduled:'}{' '}
      <Link to="/schedules/$scheduleId" params={{ scheduleId: run.schedule_id }} className={textLinkClass}>
        {name}
      </Link>
    </>
  );
}
