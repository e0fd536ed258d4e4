const dateAlone = /^\d{4}-\d\d-\d\d$/u;

/** A day in the format of `<input type="date">`, in the user's time zone; a date without a time stays the same. */
export function dayOf(moment: string | Date): string {
  if (typeof moment === 'string' && dateAlone.test(moment)) return moment;
  const date = new Date(moment);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export type DueState = 'overdue' | 'today' | 'later';

/** A task is overdue from the day after its due day, whatever the time. */
export function dueState(dueAt: string, now = new Date()): DueState {
  const [due, today] = [dayOf(dueAt), dayOf(now)];
  if (due < today) return 'overdue';
  return due === today ? 'today' : 'later';
}

const sameYear = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The due moment; for a date without a time, noon in the user's time zone. */
export function dueMoment(dueAt: string): Date {
  return new Date(dateAlone.test(dueAt) ? `${dueAt}T12:00:00` : dueAt);
}

export function dueLabel(dueAt: string, now = new Date()): string {
  const due = dueMoment(dueAt);
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  if (dayOf(due) === dayOf(now)) return 'Today';
  if (dayOf(due) === dayOf(tomorrow)) return 'Tomorrow';
  return (due.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(due);
}
