import type { ThreadSummary } from '@docwright/contract';

interface ThreadDay {
  label: string;
  threads: ThreadSummary[];
}

const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const millisecondsOfDay = 86_400_000;

/** Groups threads by local day, last used first. */
export function threadsByDay(threads: readonly ThreadSummary[], now = new Date()): ThreadDay[] {
  const days: ThreadDay[] = [];
  for (const thread of threads.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))) {
    const label = dayLabel(new Date(thread.updated_at), now);
    const last = days.at(-1);
    if (last?.label === label) last.threads.push(thread);
    else days.push({ label, threads: [thread] });
  }
  return days;
}

function dayLabel(date: Date, now: Date): string {
  const day = date.toDateString();
  if (day === now.toDateString()) return 'Today';
  if (day === new Date(now.getTime() - millisecondsOfDay).toDateString()) return 'Yesterday';
  return longDay.format(date);
}
