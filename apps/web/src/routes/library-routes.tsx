import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  readLibrarySearch,
  readNewPromptSearch,
  readTryChangeSearch,
  readVersionSearch,
} from '../shared/addresses/library-search.ts';
import { readResultSearch } from '../shared/addresses/result-search.ts';
import { rootRoute } from './root-route.tsx';

const schemaListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/schemas/schema-list-page.tsx'), 'SchemaListPage'),
});

const newSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/new',
  component: lazyRouteComponent(() => import('../features/schemas/schema-edit-page.tsx'), 'NewSchemaPage'),
});

const schemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('../features/schemas/schema-page.tsx'), 'SchemaPage'),
});

const editSchemaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/edit',
  component: lazyRouteComponent(() => import('../features/schemas/schema-edit-page.tsx'), 'SchemaEditPage'),
});

const newDesignRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/designer',
  component: lazyRouteComponent(() => import('../features/designer/designer-page.tsx'), 'NewDesignPage'),
});

const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schemas/$schemaId/design',
  component: lazyRouteComponent(() => import('../features/designer/designer-page.tsx'), 'DesignPage'),
});

const promptListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/prompts/prompt-list-page.tsx'), 'PromptListPage'),
});

const newPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/new',
  validateSearch: readNewPromptSearch,
  component: lazyRouteComponent(() => import('../features/prompts/prompt-edit-page.tsx'), 'NewPromptPage'),
});

const promptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(() => import('../features/prompts/prompt-page.tsx'), 'PromptPage'),
});

const editPromptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/edit',
  component: lazyRouteComponent(() => import('../features/prompts/prompt-edit-page.tsx'), 'PromptEditPage'),
});

const promptAccuracyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/accuracy',
  component: lazyRouteComponent(() => import('../features/prompts/accuracy-page.tsx'), 'AccuracyPage'),
});

const tryChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompts/$promptId/try',
  validateSearch: readTryChangeSearch,
  component: lazyRouteComponent(() => import('../features/prompts/try-change-page.tsx'), 'TryChangePage'),
});

const resultsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/results',
  validateSearch: readResultSearch,
  component: lazyRouteComponent(() => import('../features/results/results-page.tsx'), 'ResultsPage'),
});

const tagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tags',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../features/tags/tag-list-page.tsx'), 'TagListPage'),
});

export const libraryRoutes = [
  schemaListRoute,
  newSchemaRoute,
  schemaRoute,
  editSchemaRoute,
  newDesignRoute,
  designRoute,
  promptListRoute,
  newPromptRoute,
  promptRoute,
  editPromptRoute,
  promptAccuracyRoute,
  tryChangeRoute,
  resultsRoute,
  tagListRoute,
] as const;
