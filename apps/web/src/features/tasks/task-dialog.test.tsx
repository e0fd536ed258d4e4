import type { Task } from '@docwright/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { TaskDialog } from './task-dialog.tsx';

afterEach(() => void vi.unstubAllGlobals());

it('asks before it replaces what the agent has changed meanwhile', async () => {
  const task: Task = { id: 't', title: 'Pay', is_completed: false, created_at: '2026-03-01T00:00:00Z', version: 1 };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json(path.includes('/tasks/') ? { ...task, title: 'Pay today', version: 2 } : { documents: [] });
  });
  renderPage({ '/': <TaskDialog task={task} onClose={() => undefined} /> });
  await userEvent.type(await screen.findByLabelText('Title'), ' it');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('title');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ title: 'Pay it', seen: { title: 'Pay today' } }]));
});
