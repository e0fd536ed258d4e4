import type { Schedule } from '@docwright/contract';
import { distanceWords, momentWords } from './timing-words.ts';

/** When a schedule is due next, by its own clocks. */
export function NextDue({ schedule: { next_due_at, enabled, timezone } }: { schedule: Schedule }) {
  if (next_due_at === null) return <span className="text-ink-faint">{enabled ? 'Never again' : 'Turned off'}</span>;
  return (
    <time dateTime={next_due_at} title={new Date(next_due_at).toLocaleString()} className="tabular-nums">
      {momentWords(next_due_at, timezone)}
      <span className="block text-xs text-ink-faint">{distanceWords(next_due_at)}</span>
    </time>
  );
}
