import type { Me, Membership } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { SessionProvider } from '../session/session.tsx';
import { ToastProvider } from '../ui/toasts.tsx';

/** An admin of the organization `org`. */
const admin = {
  user: { id: 'u', name: 'Ada', email: 'ada@example.com', has_password: true },
  organizations: [{ id: 'org', name: 'Org', role: 'admin' }],
} as unknown as Me;

interface RenderOptions {
  /** Where the app opens; by default the first page. */
  address?: string;
  /** Readers of the search parameters of pages, by their path. */
  search?: Record<string, (search: Record<string, unknown>) => object>;
  /** Settings of the organization. */
  organization?: Partial<Membership>;
  /** Whether the address and the history are those of the window. */
  inWindow?: boolean;
}

/**
 * Renders pages as the app does, with a router, queries, a session, tooltips and toasts. Returns the router.
 *
 * @example
 * const router = renderPage({ '/': <Designer />, '/documents/$documentId': null });
 */
export function renderPage(
  pages: Record<string, ReactNode>,
  { address, search = {}, organization, inWindow = false }: RenderOptions = {},
) {
  const root = createRootRoute();
  const routes = Object.entries(pages).map(([path, page]) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: () => page,
      ...(search[path] && { validateSearch: search[path] }),
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: inWindow
      ? createBrowserHistory()
      : createMemoryHistory({ initialEntries: [address ?? Object.keys(pages)[0]!] }),
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Tooltip.Provider>
        <ToastProvider>
          <SessionProvider me={{ ...admin, organizations: [{ ...admin.organizations[0]!, ...organization }] }}>
            <RouterProvider router={router as never} />
          </SessionProvider>
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return router;
}
