import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readInboxSearch } from '../shared/addresses/inbox-search.ts';
import { readAuditSearch } from '../shared/addresses/audit-search.ts';
import { readDocumentAddress } from '../shared/addresses/document-address.ts';
import { readDocumentListSearch } from '../shared/addresses/document-search.ts';
import { FailedPage } from '../shared/page/failed-page.tsx';
import { readLibrarySearch } from '../shared/addresses/library-search.ts';
import { readReviewSearch } from '../shared/addresses/review-search.ts';
import { rootRoute } from './root-route.tsx';

const documentListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readDocumentListSearch,
  component: lazyRouteComponent(() => import('../features/documents/list/document-list-page.tsx'), 'DocumentListPage'),
});

/** Users type this address, since those of documents begin with it. */
const documentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/', search: readDocumentListSearch(search), replace: true });
  },
});

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents/$documentId',
  validateSearch: readDocumentAddress,
  component: lazyRouteComponent(() => import('../features/documents/page/document-page.tsx'), 'DocumentPage'),
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
});

const splitRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/documents/$documentId/split',
  component: lazyRouteComponent(() => import('../features/splitting/split-page.tsx'), 'SplitPage'),
  errorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
});

const trashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/trash',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/trash/trash-page.tsx'), 'TrashPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
});

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const reviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/review',
  validateSearch: readReviewSearch,
  component: lazyRouteComponent(() => import('../features/review/review-page.tsx'), 'ReviewPage'),
});

export const documentRoutes = [
  documentListRoute,
  documentsRoute,
  documentRoute,
  splitRoute,
  trashRoute,
  auditRoute,
  inboxRoute,
  reviewRoute,
] as const;
