import type { Run } from '@docwright/contract';
import { expect, it } from 'vitest';
import { durationLabel, runOutcomeLabel, runStateLabel } from './run-labels.ts';

const run: Run = {
  id: 'r',
  schedule_id: null,
  trigger: 'direct',
  action: 'chat',
  state: 'completed',
  matched: 3,
  total: 3,
  waiting: 0,
  parked: 0,
  on_ask: 'deny',
  skipped: 0,
  running: 0,
  succeeded: 3,
  failed: 0,
  cancelled: 0,
  failures: [],
  error: null,
  spu_used: 3,
  message: 'x',
  auto_approved_tools: [],
  due_at: null,
  created_at: '2026-05-01T00:00:00Z',
  started_at: '2026-05-01T00:00:00Z',
  ended_at: '2026-05-01T00:00:00Z',
  requested_by: 'u',
};

it('labels a completed run by whether documents failed', () => {
  expect(runStateLabel(run).label).toBe('Completed');
  expect(runStateLabel({ ...run, succeeded: 2, failed: 1 }).label).toBe('Some failed');
  expect(runStateLabel({ ...run, succeeded: 0, failed: 3 }).label).toBe('All failed');
  expect(runStateLabel({ ...run, state: 'stopped', failed: 1 }).label).toBe('Stopped');
});

it('counts the outcomes of the documents', () => {
  expect(runOutcomeLabel({ ...run, succeeded: 1, failed: 1, waiting: 1 })).toBe('1 succeeded, 1 failed, 1 to go');
  expect(runOutcomeLabel({ ...run, matched: 0, total: 0, succeeded: 0 })).toBe('No document matched');
  expect(runOutcomeLabel({ ...run, state: 'queued', matched: 0, total: 0 })).toBe('Looking for documents');
  expect(runOutcomeLabel({ ...run, state: 'skipped' })).toBe('The previous run was still active');
});

it('formats a duration', () => {
  const after = (seconds: number) => new Date(seconds * 1000).toISOString();
  expect(durationLabel(after(0), after(59.4))).toBe('59 s');
  expect(durationLabel(after(0), after(75))).toBe('1 min 15 s');
  expect(durationLabel(after(0), after(7500))).toBe('2 h 5 min');
});
