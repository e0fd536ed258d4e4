// @vitest-environment happy-dom
import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { requestUndescribed } from '../../shared/http/http.ts';
import '../../shared/testing/component-tests.ts';
import { SessionGate } from './session-gate.tsx';

afterEach(() => void vi.unstubAllGlobals());

const me = {
  user: { id: 'u', name: 'Ann', email: 'a@example.com', has_password: true },
  organizations: [{ id: 'o', name: 'O', role: 'admin' }],
};

function Note() {
  const saving = useMutation({ mutationFn: () => requestUndescribed('/v0/notes', { method: 'POST', body: {} }) });
  return (
    <>
      <input aria-label="Note" />
      <button type="button" onClick={() => saving.mutate()}>
        Save
      </button>
    </>
  );
}

/** A page with a note that is written; `session.isSignedIn` ends the session. */
function renderNote(me: object) {
  const session = { isSignedIn: true };
  const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));
  vi.stubGlobal('fetch', (path: string) => {
    if (path === '/v0/auth/login') {
      session.isSignedIn = true;
      return answer(200, me);
    }
    if (!session.isSignedIn)
      return answer(401, { error: { code: 'not_signed_in', message: 'Sign in, or send an access token.' } });
    return answer(200, path === '/v0/me' ? me : {});
  });
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Tooltip.Provider>
        <SessionGate>
          <Note />
        </SessionGate>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return { session, user };
}

it('signs in above the page when a session has expired, and keeps what was being written', async () => {
  const { session, user } = renderNote(me);
  const note = await screen.findByLabelText('Note');
  await user.type(note, 'half a sentence');
  session.isSignedIn = false;
  await user.click(screen.getByText('Save'));
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  expect(screen.getByLabelText(/^E-?mail/u)).toHaveProperty('value', 'a@example.com');
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  await user.type(screen.getByLabelText(/^Password/u), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText('Note')).toBe(note);
  expect(note).toHaveProperty('value', 'half a sentence');
});

it('tells an owner without a password about the link, and goes on when another tab has signed in', async () => {
  const { session, user } = renderNote({ ...me, user: { ...me.user, has_password: false } });
  await user.type(await screen.findByLabelText('Note'), 'half a sentence');
  session.isSignedIn = false;
  await user.click(screen.getByText('Save'));
  const dialog = await screen.findByRole('dialog', { name: 'Your session has ended' });
  expect(dialog.textContent).toContain('open the link that it prints');
  expect(screen.queryByLabelText(/^Password/u)).toBeNull();
  session.isSignedIn = true;
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 5000 });
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a sentence');
});

it('does nothing for another user who signs in in another window, and keeps what was being written', async () => {
  const answers = { ...me };
  const { user } = renderNote(answers);
  await user.type(await screen.findByLabelText('Note'), 'half a sentence');
  answers.user = { id: 'other', name: 'Bob', email: 'b@example.com', has_password: true };
  window.localStorage.setItem('docwright.user', 'other');
  window.dispatchEvent(new StorageEvent('storage', { key: 'docwright.user', newValue: 'other' }));
  await screen.findByRole('dialog', { name: 'Bob has signed in' });
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a sentence');
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  answers.user = me.user;
  await user.type(screen.getByLabelText(/^Password/u), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Sign in as Ann' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a sentence');
});
