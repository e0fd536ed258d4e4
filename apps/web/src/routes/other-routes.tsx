import { createRoute, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { readAskSearch } from '../shared/addresses/ask-search.ts';
import { readAuthorizeSearch } from '../shared/addresses/authorization-request.ts';
import { readCollectionSearch } from '../shared/addresses/collection-search.ts';
import { readNewSetupSearch } from '../shared/addresses/setup-search.ts';
import { readEntrySearch } from '../shared/addresses/entry-search.ts';
import { readLibrarySearch } from '../shared/addresses/library-search.ts';
import { readProposalSearch } from '../shared/addresses/proposal-search.ts';
import { readSettingsSearch } from '../shared/addresses/settings-section.ts';
import { readTaskSearch } from '../shared/addresses/task-search.ts';
import { rootRoute } from './root-route.tsx';

const collectionListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/collections/collection-list-page.tsx'), 'CollectionListPage'),
});

const collectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/collections/$collectionId',
  validateSearch: readCollectionSearch,
  component: lazyRouteComponent(() => import('../features/collections/collection-page.tsx'), 'CollectionPage'),
});

const setupListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/setup/setup-list-page.tsx'), 'SetupListPage'),
});

const newSetupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/new',
  validateSearch: readNewSetupSearch,
  component: lazyRouteComponent(() => import('../features/setup/new-setup-page.tsx'), 'NewSetupPage'),
});

const sourceListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/sources',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/sources/source-list-page.tsx'), 'SourceListPage'),
});

const newSourceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/sources/new',
  component: lazyRouteComponent(() => import('../features/sources/source-page.tsx'), 'NewSourcePage'),
});

const sourceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/sources/$sourceId',
  component: lazyRouteComponent(() => import('../features/sources/source-page.tsx'), 'SourcePage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/$conversationId',
  component: lazyRouteComponent(() => import('../features/setup/setup-page.tsx'), 'SetupPage'),
});

const askRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ask',
  validateSearch: readAskSearch,
  component: lazyRouteComponent(() => import('../features/ask/ask-page.tsx'), 'AskPage'),
});

const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks',
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import('../features/tasks/task-page.tsx'), 'TaskPage'),
});

const proposalListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/proposals',
  validateSearch: readProposalSearch,
  component: lazyRouteComponent(() => import('../features/proposals/proposal-list-page.tsx'), 'ProposalListPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
});

/** OAuth programs send the user's browser here for consent. */
const authorizeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authorize',
  validateSearch: readAuthorizeSearch,
  component: lazyRouteComponent(() => import('../features/authorize/authorize-page.tsx'), 'AuthorizePage'),
});

/** Without a session the shell shows the sign-in page at any URL; with one, these redirect. */
const entryRoutes = (['/sign-in', '/create-account'] as const).map((path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: readEntrySearch,
    component: () => <Navigate to="/" replace />,
  }),
);

export const otherRoutes = [
  collectionListRoute,
  collectionRoute,
  setupListRoute,
  newSetupRoute,
  sourceListRoute,
  newSourceRoute,
  sourceRoute,
  setupRoute,
  askRoute,
  taskRoute,
  proposalListRoute,
  settingsRoute,
  authorizeRoute,
  ...entryRoutes,
] as const;
