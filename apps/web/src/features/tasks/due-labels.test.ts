import { expect, it } from 'vitest';
import { dayOf, dueState, dueLabel } from './due-labels.ts';

const now = new Date(2026, 10, 21, 23, 30);

it('compares days, not hours', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
  expect([at(20, 23), at(21, 1), at(22, 0)].map((due) => dueState(due, now))).toEqual(['overdue', 'today', 'later']);
  expect([at(21, 1), at(22, 23)].map((due) => dueLabel(due, now))).toEqual(['Today', 'Tomorrow']);
  expect(dueLabel(at(27, 12), now)).toContain('27');
  expect(dueLabel(at(27, 12), now)).not.toContain('2026');
  expect(dueLabel('2027-03-05T12:00:00Z', now)).toContain('2027');
  expect(dayOf('2026-11-27T12:00:00Z')).toBe('2026-11-27');
});

it('reads a date without a time as that date in every time zone', () => {
  expect(dayOf('2026-11-22')).toBe('2026-11-22');
  expect(['2026-11-20', '2026-11-21', '2026-11-22'].map((due) => dueState(due, now))).toEqual([
    'overdue',
    'today',
    'later',
  ]);
  expect(dueLabel('2026-11-21', now)).toBe('Today');
  expect(dueLabel('2027-03-05', now)).toMatch(/5.*2027|2027.*5/u);
});
