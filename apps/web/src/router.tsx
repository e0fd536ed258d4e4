import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { readAuditSearch } from './shared/addresses/audit-search.ts';
import { readCollectionSearch } from './shared/addresses/collection-search.ts';
import { readDocumentAddress } from './shared/addresses/document-address.ts';
import { readDocumentListSearch } from './shared/addresses/document-search.ts';
import { readNewSetupSearch } from './shared/addresses/setup-search.ts';
import { readEntrySearch } from './shared/addresses/entry-search.ts';
import { AppShell } from './app-shell.tsx';
import { FailedPage } from './shared/page/failed-page.tsx';
import {
  readLibrarySearch,
  readNewPromptSearch,
  readTriedSearch,
  readVersionSearch,
} from './shared/addresses/library-search.ts';
import { readRunListSearch, readRunSearch } from './shared/addresses/run-search.ts';
import { readSettingsSearch } from './shared/addresses/settings-section.ts';
import { readTaskSearch } from './shared/addresses/task-search.ts';

const rootRoute = createRootRoute({
  component: AppShell,
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
  notFoundComponent: lazyRouteComponent(() => import('./shared/page/missing-page.tsx'), 'MissingPage'),
});

const documentListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readDocumentListSearch,
  component: lazyRouteComponent(() => import('./features/documents/list/document-list-page.tsx'), 'DocumentListPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents/$documentId',
  validateSearch: readDocumentAddress,
  component: lazyRouteComponent(() => import('./features/documents/page/document-page.tsx'), 'DocumentPage'),
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
});

const trashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/trash',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/trash/trash-page.tsx'), 'TrashPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./features/audit/audit-page.tsx'), 'AuditPage'),
});

const schemaListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/schemas/schema-list-page.tsx'), 'SchemaListPage'),
});

const newSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/new',
  component: lazyRouteComponent(() => import('./features/schemas/schema-edit-page.tsx'), 'NewSchemaPage'),
});

const schemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('./features/schemas/schema-page.tsx'), 'SchemaPage'),
});

const editSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/edit',
  component: lazyRouteComponent(() => import('./features/schemas/schema-edit-page.tsx'), 'SchemaEditPage'),
});

const newDesignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/designer',
  component: lazyRouteComponent(() => import('./features/designer/designer-page.tsx'), 'NewDesignPage'),
});

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/design',
  component: lazyRouteComponent(() => import('./features/designer/designer-page.tsx'), 'DesignPage'),
});

const promptListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/prompts/prompt-list-page.tsx'), 'PromptListPage'),
});

const newPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/new',
  validateSearch: readNewPromptSearch,
  component: lazyRouteComponent(() => import('./features/prompts/prompt-edit-page.tsx'), 'NewPromptPage'),
});

const promptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('./features/prompts/prompt-page.tsx'), 'PromptPage'),
});

const editPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/edit',
  component: lazyRouteComponent(() => import('./features/prompts/prompt-edit-page.tsx'), 'PromptEditPage'),
});

const promptAccuracyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/accuracy',
  component: lazyRouteComponent(() => import('./features/prompts/accuracy-page.tsx'), 'AccuracyPage'),
});

const tryChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/try',
  validateSearch: readTriedSearch,
  component: lazyRouteComponent(() => import('./features/prompts/try-change-page.tsx'), 'TryChangePage'),
});

const tagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tags',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/tags/tag-list-page.tsx'), 'TagListPage'),
});

const scheduleListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/schedules/schedule-list-page.tsx'), 'ScheduleListPage'),
});

const newScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/new',
  component: lazyRouteComponent(() => import('./features/schedules/schedule-edit-page.tsx'), 'NewSchedulePage'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/schedules/schedule-page.tsx'), 'SchedulePage'),
});

const editScheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$scheduleId/edit',
  component: lazyRouteComponent(() => import('./features/schedules/schedule-edit-page.tsx'), 'ScheduleEditPage'),
});

const runListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: readRunListSearch,
  component: lazyRouteComponent(() => import('./features/runs/run-list-page.tsx'), 'RunListPage'),
});

const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/new',
  component: lazyRouteComponent(() => import('./features/runs/new-run-page.tsx'), 'NewRunPage'),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./features/runs/run-page.tsx'), 'RunPage'),
});

const scheduleRoutes = [scheduleListRoute, newScheduleRoute, scheduleRoute, editScheduleRoute] as const;
const runRoutes = [runListRoute, newRunRoute, runRoute] as const;

const collectionListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/collections/collection-list-page.tsx'), 'CollectionListPage'),
});

const collectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections/$collectionId',
  validateSearch: readCollectionSearch,
  component: lazyRouteComponent(() => import('./features/collections/collection-page.tsx'), 'CollectionPage'),
});

const setupListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/setup/setup-list-page.tsx'), 'SetupListPage'),
});

const newSetupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/new',
  validateSearch: readNewSetupSearch,
  component: lazyRouteComponent(() => import('./features/setup/new-setup-page.tsx'), 'NewSetupPage'),
});

const sourceListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/sources',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('./features/sources/source-list-page.tsx'), 'SourceListPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/$conversationId',
  component: lazyRouteComponent(() => import('./features/setup/setup-page.tsx'), 'SetupPage'),
});

const setupRoutes = [setupListRoute, newSetupRoute, sourceListRoute, setupRoute] as const;

const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import('./features/tasks/task-page.tsx'), 'TaskPage'),
});

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
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
    trashRoute,
    auditRoute,
    schemaListRoute,
    newSchemaRoute,
    newDesignRoute,
    schemaRoute,
    editSchemaRoute,
    designRoute,
    promptListRoute,
    newPromptRoute,
    promptRoute,
    editPromptRoute,
    promptAccuracyRoute,
    tryChangeRoute,
    tagListRoute,
    ...scheduleRoutes,
    ...runRoutes,
    ...setupRoutes,
    collectionListRoute,
    collectionRoute,
    taskRoute,
    inboxRoute,
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
