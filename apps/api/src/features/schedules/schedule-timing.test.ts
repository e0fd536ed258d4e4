import { describe, expect, test } from 'vitest';
import { checkTiming, nextDue, type ScheduleTiming } from './schedule-timing.ts';

const times = (timing: ScheduleTiming, from: string, count: number): string[] => {
  let at = new Date(from);
  return Array.from({ length: count }, () => {
    at = nextDue(timing, at) ?? new Date(Number.NaN);
    return at.toISOString();
  });
};
const berlin = (cron: string): ScheduleTiming => ({ cron, timezone: 'Europe/Berlin' });

describe('cron over the change of the clocks', () => {
  test('a time that is repeated in autumn is due once', () => {
    expect(times(berlin('30 2 * * *'), '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('a time that is skipped in spring is due right after', () => {
    const [first, second] = times(berlin('30 2 * * *'), '2026-03-28T12:00:00Z', 2);
    expect(first?.slice(0, 13)).toBe('2026-03-29T01');
    expect(second).toBe('2026-03-30T00:30:00.000Z');
  });

  test('an hourly schedule runs in every hour of both changes', () => {
    expect(times(berlin('0 * * * *'), '2026-10-24T23:30:00Z', 4).map((time) => time.slice(11, 13))).toEqual([
      '00',
      '01',
      '02',
      '03',
    ]);
    expect(times(berlin('0 * * * *'), '2026-03-28T23:30:00Z', 3).map((time) => time.slice(11, 13))).toEqual([
      '00',
      '01',
      '02',
    ]);
  });
});

test('an interval counts from its anchor', () => {
  const timing: ScheduleTiming = { every: '15m', anchor: new Date('2026-05-01T10:07:00Z') };
  expect(times(timing, '2026-05-01T10:07:00Z', 2)).toEqual(['2026-05-01T10:22:00.000Z', '2026-05-01T10:37:00.000Z']);
  expect(times(timing, '2026-05-01T13:30:11Z', 1)).toEqual(['2026-05-01T13:37:00.000Z']);
  // The clock was set back before the anchor.
  expect(times(timing, '2026-04-01T00:00:00Z', 1)).toEqual(['2026-05-01T10:22:00.000Z']);
});

describe('invalid timings are rejected with the cure', () => {
  const now = new Date('2026-05-01T10:00:00Z');
  test.each([
    [{ cron: '* * * *', timezone: 'UTC' }, 'invalid_cron', /five fields/],
    [{ cron: '* * * * * *', timezone: 'UTC' }, 'invalid_cron', /five fields/],
    [{ cron: '61 * * * *', timezone: 'UTC' }, 'invalid_cron', /minute: 61/],
    [{ cron: '0 0 30 2 *', timezone: 'UTC' }, 'invalid_cron', /matches no date/],
    [{ cron: '0 6 * * *', timezone: 'Mars/Phobos' }, 'invalid_timezone', /Europe\/Berlin/],
    [{ every: '30s', anchor: now }, 'invalid_every', /15m/],
    [{ every: '0m', anchor: now }, 'invalid_every', /from 1m/],
    [{ every: '53w', anchor: now }, 'invalid_every', /366d/],
    [{ every: 'often', anchor: now }, 'invalid_every', /15m/],
  ] as [ScheduleTiming, string, RegExp][])('%j', (timing, code, message) => {
    expect(() => checkTiming(timing, now)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('the shortest and the longest intervals are valid', () => {
    for (const every of ['1m', '366d', '52w']) checkTiming({ every, anchor: now }, now);
    checkTiming({ cron: '0 9 * * MON-FRI', timezone: 'America/New_York' }, now);
  });
});
