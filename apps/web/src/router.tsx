import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { readCollectionSearch } from './collections/collection-search.ts';
import { readDocumentAddress } from './documents/document-address.ts';
import { readDocumentListSearch } from './documents/document-search.ts';
import { readNewSetupSearch } from './guided-setup/setup-search.ts';
import { readEntrySearch } from './identity/entry-search.ts';
import { AppShell } from './layout/app-shell.tsx';
import { FailedPage } from './layout/failed-page.tsx';
import { readLibrarySearch, readVersionSearch } from './library/library-search.ts';
import { readRunListSearch, readRunSearch } from './runs/run-search.ts';
import { readSettingsSearch } from './settings/settings-section.ts';
import { readTaskSearch } from './tasks/task-search.ts';

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

const schemaListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./schemas/schema-list-page.tsx'), 'SchemaListPage'),
});

const newSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/new',
  component: lazyRouteComponent(() => import('./schemas/schema-edit-page.tsx'), 'NewSchemaPage'),
});

const schemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('./schemas/schema-page.tsx'), 'SchemaPage'),
});

const editSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/edit',
  component: lazyRouteComponent(() => import('./schemas/schema-edit-page.tsx'), 'SchemaEditPage'),
});

const newDesignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/designer',
  component: lazyRouteComponent(() => import('./designer/designer-page.tsx'), 'NewDesignPage'),
});

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/design',
  component: lazyRouteComponent(() => import('./designer/designer-page.tsx'), 'DesignPage'),
});

const schemaRoutes = [
  schemaListRoute,
  newSchemaRoute,
  newDesignRoute,
  schemaRoute,
  editSchemaRoute,
  designRoute,
] as const;

const promptListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./prompts/prompt-list-page.tsx'), 'PromptListPage'),
});

const newPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/new',
  component: lazyRouteComponent(() => import('./prompts/prompt-edit-page.tsx'), 'NewPromptPage'),
});

const promptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('./prompts/prompt-page.tsx'), 'PromptPage'),
});

const editPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/edit',
  component: lazyRouteComponent(() => import('./prompts/prompt-edit-page.tsx'), 'PromptEditPage'),
});

const promptRoutes = [promptListRoute, newPromptRoute, promptRoute, editPromptRoute] as const;

const tagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tags',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./tags/tag-list-page.tsx'), 'TagListPage'),
});

const scheduleListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./schedules/schedule-list-page.tsx'), 'ScheduleListPage'),
});

const newScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/new',
  component: lazyRouteComponent(() => import('./schedules/schedule-edit-page.tsx'), 'NewSchedulePage'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./schedules/schedule-page.tsx'), 'SchedulePage'),
});

const editScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId/edit',
  component: lazyRouteComponent(() => import('./schedules/schedule-edit-page.tsx'), 'ScheduleEditPage'),
});

const runListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: readRunListSearch,
  component: lazyRouteComponent(() => import('./runs/run-list-page.tsx'), 'RunListPage'),
});

const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/new',
  component: lazyRouteComponent(() => import('./runs/new-run-page.tsx'), 'NewRunPage'),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./runs/run-page.tsx'), 'RunPage'),
});

const scheduleRoutes = [scheduleListRoute, newScheduleRoute, scheduleRoute, editScheduleRoute] as const;
const runRoutes = [runListRoute, newRunRoute, runRoute] as const;

const collectionListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./collections/collection-list-page.tsx'), 'CollectionListPage'),
});

const collectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections/$collectionId',
  validateSearch: readCollectionSearch,
  component: lazyRouteComponent(() => import('./collections/collection-page.tsx'), 'CollectionPage'),
});

const setupListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./guided-setup/setup-list-page.tsx'), 'SetupListPage'),
});

const newSetupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/new',
  validateSearch: readNewSetupSearch,
  component: lazyRouteComponent(() => import('./guided-setup/new-setup-page.tsx'), 'NewSetupPage'),
});

const sourceListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/sources',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./sources/source-list-page.tsx'), 'SourceListPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/$conversationId',
  component: lazyRouteComponent(() => import('./guided-setup/setup-page.tsx'), 'SetupPage'),
});

const setupRoutes = [setupListRoute, newSetupRoute, sourceListRoute, setupRoute] as const;

const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import('./tasks/task-page.tsx'), 'TaskPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

/** Without a session the shell shows the sign-in page at any address; with one, these lead on. */
const entryRoutes = (['/sign-in', '/create-account'] as const).map((path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readEntrySearch,
    component: () => <Navigate to="/" replace />,
  }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    documentListRoute,
    documentRoute,
    ...schemaRoutes,
    ...promptRoutes,
    tagListRoute,
    ...scheduleRoutes,
    ...runRoutes,
    ...setupRoutes,
    collectionListRoute,
    collectionRoute,
    taskRoute,
    settingsRoute,
    ...entryRoutes,
  ]),
  defaultPreload: 'intent',
  // An address keeps what its page understands, and nothing else.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
