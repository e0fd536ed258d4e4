import type { Me } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { SessionProvider, useSession } from '../session/session.tsx';
import { FailedPage } from './failed-page.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const [here, there, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(24));

/** The page of a missing document of the first of three organizations; the last one is not the user's. */
function show(has: string | undefined) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return path.includes(has ?? '-') ? Response.json({}) : Response.json({}, { status: 404 });
  });
  const organizations = [
    { id: here, name: 'Here', role: 'admin' },
    { id: there, name: 'There', role: 'viewer' },
  ];
  const error = new ApiError(404, { message: 'There is no such document.' }, `/v0/orgs/${here}/documents/d`);
  const Shown = () => (
    <>
      <output>{useSession().organization.name}</output>
      <FailedPage error={error} retry={vi.fn()} />
    </>
  );
  const rootRoute = createRootRoute({ component: Shown });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider me={{ organizations } as unknown as Me}>
        <RouterProvider router={router as never} />
      </SessionProvider>
    </QueryClientProvider>,
  );
  return asked;
}

it('offers to switch to the organization of the user that has what a link names', async () => {
  const asked = show(there);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Switch to There' }));
  expect((await screen.findByRole('status')).textContent).toBe('There');
  expect(asked).toEqual([`/v0/orgs/${there}/documents/d`]);
});

it('offers nothing that only an organization of others has', async () => {
  const asked = show(third);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(await screen.findByText('Not found')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
