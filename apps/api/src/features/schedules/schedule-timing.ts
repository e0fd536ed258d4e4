import { DomainError } from '@docwright/contract';
import { Cron } from 'croner';

/** The times of a schedule: a cron expression in a time zone, or an interval that starts at `anchor`. */
export type ScheduleTiming = { cron: string; timezone: string } | { every: string; anchor: Date };

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const maxIntervalMs = 366 * unitMs.d;

/**
 * The first due time after `after`; undefined if none exists. Times that the clocks skip in spring are due right after.
 * Times that are repeated in autumn count once, except for hourly expressions.
 */
export function nextDue(timing: ScheduleTiming, after: Date): Date | undefined {
  if ('cron' in timing) return cronOf(timing.cron, timing.timezone).nextRun(after) ?? undefined;
  const step = everyMs(timing.every);
  const passed = Math.floor((after.getTime() - timing.anchor.getTime()) / step);
  return new Date(timing.anchor.getTime() + (Math.max(passed, 0) + 1) * step);
}

/** Throws `invalid_timezone`, `invalid_cron`, `invalid_every`. */
export function checkTiming(timing: ScheduleTiming, now: Date): void {
  if ('every' in timing) {
    everyMs(timing.every);
    return;
  }
  checkTimezone(timing.timezone);
  let next: Date | undefined;
  try {
    next = nextDue(timing, now);
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /u, '');
    throw invalid(
      'invalid_cron',
      `cron takes five fields (minute hour day month weekday), such as "0 6 * * 1-5": ${reason}`,
    );
  }
  if (next === undefined) throw invalid('invalid_cron', 'cron matches no date. Check day and month.');
}

/** Throws `invalid_timezone` if the name is no IANA time zone. */
export function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('invalid_timezone', `timezone takes an IANA name such as Europe/Berlin or UTC, not "${timezone}".`);
  }
}

function cronOf(cron: string, timezone: string): Cron {
  return new Cron(cron, { mode: '5-part', timezone });
}

function everyMs(every: string): number {
  const [, count, unit] = /^([1-9]\d{0,6}) ?([mhdw])$/u.exec(every) ?? [];
  const milliseconds = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (!(milliseconds <= maxIntervalMs)) {
    throw invalid('invalid_every', 'every takes a number and m, h, d or w, such as 15m, 6h or 1d: from 1m to 366d.');
  }
  return milliseconds;
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
