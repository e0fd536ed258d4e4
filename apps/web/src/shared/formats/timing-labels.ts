import cronstrue from 'cronstrue';
import { clockStyle, hasTwelveHours } from './locale.ts';
import { plainTiming, type Timing } from './timing.ts';

/** Describes when a schedule is due: "every weekday at 07:30, Europe/Berlin". */
export function timingLabel(timing: Timing): string {
  const plain = plainTiming(timing);
  if (plain !== undefined) return plain;
  const { cron = '', timezone } = timing;
  try {
    const description = cronstrue.toString(cron, { use24HourTimeFormat: !hasTwelveHours(), verbose: false });
    return `${description.charAt(0).toLowerCase()}${description.slice(1)}, ${timezone}`;
  } catch {
    return `${cron}, ${timezone}`;
  }
}

const momentIn = new Map<string, Intl.DateTimeFormat>();

/** Formats a moment in a time zone, with the day of the week. */
export function momentLabel(iso: string, timezone: string): string {
  const format =
    momentIn.get(timezone) ??
    new Intl.DateTimeFormat(undefined, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...clockStyle,
      timeZone: timezone,
    });
  momentIn.set(timezone, format);
  return format.format(new Date(iso));
}

export const localTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats the time until or since a moment: "in 3 hours", "2 days ago". */
export function distanceLabel(iso: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  const size = Math.abs(minutes);
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (size < 1) return minutes < 0 ? 'just now' : 'now';
  if (size < 90) return relative.format(minutes, 'minute');
  if (size < 36 * 60) return relative.format(Math.round(minutes / 60), 'hour');
  return relative.format(Math.round(minutes / (24 * 60)), 'day');
}
