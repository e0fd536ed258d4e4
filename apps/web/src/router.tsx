import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { readDocumentAddress } from './documents/document-address.ts';
import { readDocumentListSearch } from './documents/document-search.ts';
import { AppShell } from './layout/app-shell.tsx';
import { FailedPage } from './layout/failed-page.tsx';

const rootRoute = createRootRoute({
  component: AppShell,
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
  notFoundComponent: () => <Navigate to="/" replace />,
});

const documentListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readDocumentListSearch,
  component: lazyRouteComponent(() => import('./documents/document-list-page.tsx'), 'DocumentListPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents/$documentId',
  validateSearch: readDocumentAddress,
  component: lazyRouteComponent(() => import('./documents/document-page.tsx'), 'DocumentPage'),
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
});

/** Without a session the shell shows the sign-in page at any address; with one, these lead on. */
const entryRoutes = (['/sign-in', '/create-account'] as const).map((path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: () => <Navigate to="/" replace /> }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren([documentListRoute, documentRoute, ...entryRoutes]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
