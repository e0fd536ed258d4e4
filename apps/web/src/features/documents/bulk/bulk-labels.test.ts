import type { DocumentBulk } from '@docwright/contract';
import { expect, it } from 'vitest';
import { bulkSentence } from './bulk-labels.ts';

const job: DocumentBulk = {
  id: 'b',
  action: 'delete',
  state: 'completed',
  query: {},
  total: 1020,
  done: 1020,
  succeeded: 1020,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  left_out: 0,
  failures: [],
  tag_ids: [],
  prompt_id: null,
  message: null,
  run_id: null,
  error: null,
  undo_until: null,
  undo: null,
  created_at: '2026-05-01T00:00:00Z',
  started_at: null,
  ended_at: null,
  requested_by: 'u',
};

it('describes a running, a finished, a partly failed and an undone job', () => {
  expect(bulkSentence({ ...job, state: 'running', done: 12 })).toBe('Deleting 12 of 1,020 documents');
  expect(bulkSentence(job)).toBe('Deleted 1,020 documents.');
  expect(bulkSentence({ ...job, action: 'extract', succeeded: 1, skipped: 2, failed: 3 })).toBe(
    'Extracted 1 document · 2 kept, with corrected or verified values · 3 failed.',
  );
  expect(bulkSentence({ ...job, action: 'extract', succeeded: 3, left_out: 2 })).toBe(
    'Extracted 3 documents · 2 left out.',
  );
  expect(bulkSentence({ ...job, undo: { state: 'completed', undone: 1020, conflicts: [] } })).toBe(
    'Undone for 1,020 documents.',
  );
});
