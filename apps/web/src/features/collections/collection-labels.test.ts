import { expect, it } from 'vitest';
import { collectionStateLabel, failureLabel, progressLabel, sourceChangeLabel } from './collection-labels.ts';

const progress = { documents: 12, waiting: 0, indexed: 12, failed: 0, pages: 30, chunks: 90 };

it('describes progress and outcome of indexing', () => {
  expect(progressLabel({ status: 'ready', progress })).toBe('12 documents');
  expect(progressLabel({ status: 'indexing', progress: { ...progress, indexed: 3, failed: 1, waiting: 8 } })).toBe(
    '3 of 12 documents, 1 failed, 8 to go',
  );
  expect(progressLabel({ status: 'stopped', progress: { ...progress, indexed: 3, waiting: 9 } })).toContain(
    '9 skipped',
  );
  expect(collectionStateLabel({ status: 'ready', progress: { ...progress, failed: 2 } }).tone).toBe('warn');
});

it('describes the changes that an update would index', () => {
  expect(sourceChangeLabel({ added: 0, removed: 0, changed: 0 })).toBeUndefined();
  expect(sourceChangeLabel({ added: 1, removed: 2, changed: 0 })).toBe(
    '1 document added to the source. 2 documents removed from the source and still found here.',
  );
});

it('labels unknown failures by their code', () => {
  expect(failureLabel('no_text')).toBe('Nothing to read');
  expect(failureLabel('model_rate_limited')).toBe('Model rate limited');
});
