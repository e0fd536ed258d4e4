import type { NextTimesBody, Schedule } from '@docwright/contract';
import { formatClock } from './locale.ts';

export type TimingKind = 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'every' | 'cron';

/** The fields of the timing form; switching the kind keeps the fields of the other kinds. */
export interface TimingFields {
  kind: TimingKind;
  /** HH:MM */
  time: string;
  /** 0–6 from Sunday. */
  weekday: string;
  /** 1–31 */
  day: string;
  count: string;
  unit: 'm' | 'h' | 'd' | 'w';
  cron: string;
  timezone: string;
}

export type Timing = Pick<Schedule, 'cron' | 'every' | 'timezone'>;

export const timingKinds: { value: TimingKind; label: string }[] = [
  { value: 'weekdays', label: 'Every weekday' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
  { value: 'every', label: 'At an interval' },
  { value: 'cron', label: 'Cron expression' },
];

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const daily = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-7]|1-5|mon-fri)$/iu;
const repeated = /^(\d+) ?([mhdw])$/u;

/** Reads a cron expression that one of the simple kinds can express; undefined for all others. */
function readCron(cron: string): (Pick<TimingFields, 'kind' | 'time'> & Partial<TimingFields>) | undefined {
  const [, minute = '', hour = '', day = '', weekday = ''] = daily.exec(cron.trim().replaceAll(/\s+/gu, ' ')) ?? [];
  if (minute === '' || Number(minute) > 59 || Number(hour) > 23) return undefined;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  const monthly = Number(day) >= 1 && Number(day) <= 31;
  if (day === '*' && weekday === '*') return { kind: 'daily', time };
  if (day === '*' && weekday.includes('-')) return { kind: 'weekdays', time };
  if (day === '*') return { kind: 'weekly', time, weekday: String(Number(weekday) % 7) };
  return weekday === '*' && monthly ? { kind: 'monthly', time, day: String(Number(day)) } : undefined;
}

/** The defaults of a new schedule. */
export function newTiming(timezone: string): TimingFields {
  return {
    kind: 'weekdays',
    time: '07:30',
    weekday: '1',
    day: '1',
    count: '1',
    unit: 'h',
    cron: '30 7 * * 1-5',
    timezone,
  };
}

export function timingFields({ cron, every, timezone }: Timing): TimingFields {
  const fields = newTiming(timezone);
  if (cron !== undefined) return { ...fields, kind: 'cron', cron, ...readCron(cron) };
  const [, count = '1', unit = 'h'] = repeated.exec(every ?? '') ?? [];
  return { ...fields, kind: 'every', count, unit: unit as TimingFields['unit'] };
}

/** Builds the request body from the form. */
export function timingBody(fields: TimingFields): NextTimesBody {
  const { kind, time, weekday, day, count, unit, cron, timezone } = fields;
  if (kind === 'every') return { every: `${count.trim()}${unit}` };
  const [hour = '', minute = ''] = time.split(':').map((part) => String(Number(part)));
  const at = `${minute} ${hour}`;
  const expressions = {
    daily: `${at} * * *`,
    weekdays: `${at} * * 1-5`,
    weekly: `${at} * * ${weekday}`,
    monthly: `${at} ${day} * *`,
    cron: cron.trim(),
  };
  return { cron: expressions[kind], timezone };
}

const units = { m: 'minute', h: 'hour', d: 'day', w: 'week' } as const;

function ordinal(day: number): string {
  const ending = day % 100 > 10 && day % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** Describes a timing of one of the simple kinds; undefined for other cron expressions. */
export function plainTiming({ cron, every, timezone }: Timing): string | undefined {
  if (cron === undefined) {
    const [, count = '', unit = ''] = repeated.exec(every ?? '') ?? [];
    const word = units[unit as keyof typeof units];
    if (word === undefined) return `every ${every ?? ''}`;
    return Number(count) === 1 ? `every ${word}` : `every ${count} ${word}s`;
  }
  const read = readCron(cron);
  if (read === undefined) return undefined;
  const [hours = 0, minutes = 0] = read.time.split(':').map(Number);
  const at = `at ${formatClock(hours, minutes)}, ${timezone}`;
  if (read.kind === 'daily') return `every day ${at}`;
  if (read.kind === 'weekdays') return `every weekday ${at}`;
  if (read.kind === 'weekly') return `every ${weekdays[Number(read.weekday)] ?? ''} ${at}`;
  return `on the ${ordinal(Number(read.day))} of every month ${at}`;
}
