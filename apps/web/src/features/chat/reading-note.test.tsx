import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ReadingNote } from './agent-panel.tsx';

afterEach(cleanup);

it('says how far a document is read, and nothing once it is', () => {
  const { rerender } = render(
    <ReadingNote document={{ state: 'ocr_processing', ocr: { pages_done: 3, page_count: 10 } }} />,
  );
  expect(screen.getByRole('status').textContent).toContain('still being read (3 of 10 pages)');
  rerender(<ReadingNote document={{ state: 'uploaded' }} />);
  expect(screen.getByRole('status').textContent).toContain('sees nothing of it');
  rerender(<ReadingNote document={{ state: 'ocr_completed' }} />);
  expect(screen.queryByRole('status')).toBeNull();
});
