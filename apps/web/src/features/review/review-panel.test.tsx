import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { ReviewPanel } from './review-panel.tsx';

const paths = Array.from({ length: 21 }, (_, at) => `field_${at}`);

/** The desk of a document whose values to check are decided, with 21 values that look right. */
function desk() {
  const verify = vi.fn();
  const seeRest = vi.fn();
  const extraction = {
    review: Object.fromEntries(paths.map((path) => [path, { risk: 0.02, state: 'open' }])),
    result: Object.fromEntries(paths.map((path, at) => [path, `value ${at}`])),
    is_complete: true,
  };
  const values = {
    isPending: false,
    extraction,
    schema: undefined,
    textOf: ({ value }: { value: unknown }) => String(value),
  };
  return {
    about: { document_id: 'd', document_name: 'A very long name of a document.pdf', prompt_revid: 'p' },
    items: [],
    unseen: [],
    rest: paths,
    values,
    canWrite: true,
    actions: { byKey: { v: verify, n: vi.fn(), p: vi.fn() } },
    seeRest,
    highlight: vi.fn(),
    verify,
  };
}

it('shows what is worth a look, one line for the rest, and verifies with the same key as its button', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ error: {} }, { status: 404 }));
  const own = desk();
  const review = { done: 3, left: 0, documents: 1, isWhole: true, decidedHere: [], problem: undefined };
  renderPage({
    '/': <ReviewPanel review={review as never} desk={own as never} filter={{}} onFilter={vi.fn()} />,
  });
  const line = await screen.findByText('21 more look right');
  const rest = line.closest('details')!;
  expect(rest.open).toBe(false);
  // The name is cut off where it is narrow, the count never.
  expect(screen.getByText('A very long name of a document.pdf').className).toContain('truncate');
  expect(screen.getByText('0 to check').className).toContain('shrink-0');
  const user = userEvent.setup();
  await user.click(line);
  expect(rest.open).toBe(true);
  expect(rest.querySelectorAll('li')).toHaveLength(21);
  expect(own.seeRest).toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: /^Verify document/u }));
  expect(own.verify).toHaveBeenCalledOnce();
});

it('says apart which values are listed for an audit alone', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ error: {} }, { status: 404 }));
  const item = (path: string, more: object) => ({
    document_id: 'd',
    path,
    value: path,
    risk: 0.02,
    reasons: [],
    ...more,
  });
  const items = [item('field_0', { to_check: true }), ...paths.slice(1).map((path) => item(path, { audit: true }))];
  const base = desk();
  const own = {
    ...base,
    items,
    item: items[0],
    at: 0,
    rest: [],
    moveTo: vi.fn(),
    values: { ...base.values, shapeAt: () => undefined },
  };
  const review = { done: 0, left: 21, documents: 1, isWhole: true, decidedHere: [], problem: undefined };
  renderPage({
    '/': <ReviewPanel review={review as never} desk={own as never} filter={{}} onFilter={vi.fn()} />,
  });
  expect(await screen.findByText('1 to check, 20 for the audit')).toBeTruthy();
  expect(screen.getByText('and 20 for the audit').title).toContain('drew this document');
});
