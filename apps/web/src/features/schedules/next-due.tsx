import type { Schedule } from '@docwright/contract';
import { fullMoment } from '../../shared/formats/format-document.ts';
import { distanceLabel, localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';

/** The next due time of a schedule, in its own time zone; for an interval, in the user's. */
export function NextDue({ schedule }: { schedule: Schedule }) {
  const { next_due_at, enabled, cron } = schedule;
  const timezone = cron === undefined ? localTimezone() : schedule.timezone;
  if (next_due_at === null) return <span className="text-ink-faint">{enabled ? 'Never again' : 'Turned off'}</span>;
  return (
    <time dateTime={next_due_at} title={fullMoment(next_due_at)} className="tabular-nums">
      {momentLabel(next_due_at, timezone)}
      <span className="block text-xs text-ink-faint">{distanceLabel(next_due_at)}</span>
    </time>
  );
}
