import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readLibrarySearch } from '../shared/addresses/library-search.ts';
import { readRunListSearch, readRunSearch } from '../shared/addresses/run-search.ts';
import { rootRoute } from './root-route.tsx';

const scheduleListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/schedules/schedule-list-page.tsx'), 'ScheduleListPage'),
});

const newScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/new',
  component: lazyRouteComponent(() => import('../features/schedules/schedule-edit-page.tsx'), 'NewSchedulePage'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/schedules/schedule-page.tsx'), 'SchedulePage'),
});

const editScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId/edit',
  component: lazyRouteComponent(() => import('../features/schedules/schedule-edit-page.tsx'), 'ScheduleEditPage'),
});

const runListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: readRunListSearch,
  component: lazyRouteComponent(() => import('../features/runs/run-list-page.tsx'), 'RunListPage'),
});

const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/new',
  component: lazyRouteComponent(() => import('../features/runs/new-run-page.tsx'), 'NewRunPage'),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('../features/runs/run-page.tsx'), 'RunPage'),
});

export const runRoutes = [
  scheduleListRoute,
  newScheduleRoute,
  scheduleRoute,
  editScheduleRoute,
  runListRoute,
  newRunRoute,
  runRoute,
] as const;
