import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it } from 'vitest';
import { DocumentStateBadge } from './document-state-badge.tsx';

afterEach(cleanup);

const incomplete_results = { count: 1, codes: ['rows_missing' as const] };

it('names an incomplete result, and explains it on focus', async () => {
  render(
    <Tooltip.Provider delayDuration={0}>
      <DocumentStateBadge document={{ state: 'llm_completed', incomplete_results }} />
    </Tooltip.Provider>,
  );
  expect(screen.queryByText('Extracted')).toBeNull();
  const badge = screen.getByRole('button', { name: /^Incomplete ?: A result is incomplete: rows are missing\.$/u });
  await userEvent.tab();
  expect(document.activeElement).toBe(badge);
  expect((await screen.findByRole('tooltip')).textContent).toBe('A result is incomplete: rows are missing.');
});

it('keeps the state of a failed extraction and names both reasons', () => {
  const state_error = { code: 'llm_failed', message: 'The service failed.' };
  render(
    <Tooltip.Provider>
      <DocumentStateBadge document={{ state: 'llm_failed', state_error, incomplete_results }} />
    </Tooltip.Provider>,
  );
  const name = /^Extraction failed ?: The service failed\. A result is incomplete: rows are missing\.$/u;
  expect(screen.getByRole('button', { name })).toBeTruthy();
});

it('says beside another state that the document was read in part', () => {
  const unread = [{ kind: 'picture' as const, page_num: 1, message: 'It was not read.' }];
  render(
    <Tooltip.Provider>
      <DocumentStateBadge document={{ state: 'llm_completed', unread }} />
      <DocumentStateBadge document={{ state: 'llm_processing', unread }} />
      <DocumentStateBadge document={{ state: 'ocr_completed', unread }} />
    </Tooltip.Provider>,
  );
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Extracted: Read in part.']);
  expect(screen.getByText('Extracting')).toBeTruthy();
  expect(screen.getByText('Read in part')).toBeTruthy();
});
