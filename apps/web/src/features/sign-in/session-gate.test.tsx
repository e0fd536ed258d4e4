// @vitest-environment happy-dom
import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { requestJson } from '../../shared/http/http.ts';
import '../../shared/testing/component-tests.ts';
import { SessionGate } from './session-gate.tsx';

afterEach(() => void vi.unstubAllGlobals());

const me = { user: { id: 'u', has_password: true }, organizations: [{ id: 'o', name: 'O', role: 'admin' }] };

function Note() {
  const saving = useMutation({ mutationFn: () => requestJson('/v0/notes', { method: 'POST', body: {} }) });
  return (
    <>
      <input aria-label="Note" />
      <button type="button" onClick={() => saving.mutate()}>
        Save
      </button>
    </>
  );
}

it('signs in above the page when a session has expired, and keeps what was being written', async () => {
  let isSignedIn = true;
  const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));
  vi.stubGlobal('fetch', (path: string) => {
    if (path === '/v0/auth/login') {
      isSignedIn = true;
      return answer(200, { user: me.user });
    }
    if (!isSignedIn)
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
  const note = await screen.findByLabelText('Note');
  await user.type(note, 'half a sentence');
  isSignedIn = false;
  await user.click(screen.getByText('Save'));
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await user.type(screen.getByLabelText(/^E-?mail/u), 'a@example.com');
  await user.type(screen.getByLabelText(/^Password/u), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText('Note')).toBe(note);
  expect(note).toHaveProperty('value', 'half a sentence');
});
