import type { ThreadSummary } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { threadsByDay } from './threads-by-day.ts';

const thread = (title: string, updated: Date): ThreadSummary => ({
  id: title,
  title,
  created_at: updated.toISOString(),
  updated_at: updated.toISOString(),
});
const now = new Date(2026, 4, 12, 9, 30);

describe('conversations by day', () => {
  const threads = [
    thread('Old invoice', new Date(2026, 3, 1, 12)),
    thread('Tags', new Date(2026, 4, 12, 8)),
    thread('Invoice again', new Date(2026, 4, 11, 23, 59)),
    thread('Totals', new Date(2026, 4, 12, 9)),
  ];

  it('are grouped by day, last used first', () => {
    const days = threadsByDay(threads, now).map(({ label, threads }) => [label, threads.map(({ title }) => title)]);
    expect(days.slice(0, 2)).toEqual([
      ['Today', ['Totals', 'Tags']],
      ['Yesterday', ['Invoice again']],
    ]);
    expect(days[2]?.[1]).toEqual(['Old invoice']);
  });
});
