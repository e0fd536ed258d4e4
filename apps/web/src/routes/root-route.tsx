import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AppShell } from './app-shell.tsx';
import { FailedPage } from '../shared/page/failed-page.tsx';

export const rootRoute = createRootRoute({
  component: AppShell,
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
  notFoundComponent: lazyRouteComponent(() => import('../shared/page/missing-page.tsx'), 'MissingPage'),
});
