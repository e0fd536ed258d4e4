import type { Tag } from '@docwright/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { TagDialog } from './tag-dialog.tsx';

afterEach(() => void vi.unstubAllGlobals());

const tag: Tag = {
  tag_id: 't',
  name: 'Invoice',
  color: '#16a34a',
  description: '',
  created_at: '2026-11-01T00:00:00Z',
  created_by: 'u',
};

it.each([
  ['nothing is sent about what a tag starts if it starts nothing', tag, undefined],
  [
    'what a tag starts can be taken from it',
    { ...tag, on_arrival: { run_prompts: true, auto_create: true } },
    { run_prompts: false, auto_create: true },
  ],
])('%s', async (_what, shown, expected) => {
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body) as Record<string, unknown>);
    return Response.json(shown);
  });
  renderPage({ '/': <TagDialog tag={shown} onClose={() => undefined} /> });
  const user = userEvent.setup();
  const runs = await screen.findByLabelText<HTMLInputElement>('Run the prompts with this tag');
  if (runs.checked) await user.click(runs);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.['on_arrival']).toEqual(expected);
  expect(sent[0]).not.toHaveProperty('never_to_model');
});

it.each([
  ['is made to keep documents from models', tag, true],
  ['stops keeping them', { ...tag, never_to_model: true as const }, false],
])('a tag %s', async (_what, shown, expected) => {
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body) as Record<string, unknown>);
    return Response.json(shown);
  });
  renderPage({ '/': <TagDialog tag={shown} onClose={() => undefined} /> });
  const user = userEvent.setup();
  await user.click(await screen.findByLabelText('Keep it from models'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toMatchObject([{ never_to_model: expected }]));
});

it('leaves what somebody else has changed while the dialog is open', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json(tag);
  });
  function List() {
    const [shown, setShown] = useState(tag);
    return (
      <>
        <TagDialog tag={shown} onClose={() => undefined} />
        <input
          aria-label="Another window"
          onChange={() => setShown({ ...tag, name: 'Bill', never_to_model: true, on_arrival: { run_prompts: true } })}
        />
      </>
    );
  }
  renderPage({ '/': <List /> });
  fireEvent.change(await screen.findByLabelText('Another window'), { target: { value: 'x' } });
  await userEvent.type(screen.getByLabelText('Description'), 'Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ description: 'Mine', seen: { description: '' } }]));
});

it('asks before it replaces what somebody else has made the tag start', async () => {
  const sent: unknown[] = [];
  const now = { ...tag, on_arrival: { run_prompts: false, auto_create: true } };
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json(now);
  });
  renderPage({ '/': <TagDialog tag={tag} onClose={() => undefined} /> });
  await userEvent.click(await screen.findByLabelText('Run the prompts with this tag'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('what it starts');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const seen = { on_arrival: { run_prompts: false, auto_create: true } };
  await waitFor(() => expect(sent).toEqual([{ on_arrival: { run_prompts: true }, seen }]));
});

it('keeps what is typed when somebody else saves in the same moment', async () => {
  const message = 'Somebody has changed the tag since you read it: description.';
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) =>
    body === undefined
      ? Response.json(tag)
      : Response.json({ error: { code: 'version_conflict', message, request_id: 'r' } }, { status: 409 }),
  );
  const onClose = vi.fn<() => void>();
  renderPage({ '/': <TagDialog tag={tag} onClose={onClose} /> });
  await userEvent.type(await screen.findByLabelText('Description'), 'Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(message);
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('Mine');
  expect(onClose).not.toHaveBeenCalled();
});
