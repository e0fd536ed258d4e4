import { createRouter } from '@tanstack/react-router';
import { documentRoutes } from './routes/document-routes.tsx';
import { libraryRoutes } from './routes/library-routes.tsx';
import { otherRoutes } from './routes/other-routes.tsx';
import { rootRoute } from './routes/root-route.tsx';
import { runRoutes } from './routes/run-routes.tsx';
import { typedRoutes } from './routes/typed-routes.tsx';

export const router = createRouter({
  routeTree: rootRoute.addChildren([...documentRoutes, ...libraryRoutes, ...runRoutes, ...otherRoutes, ...typedRoutes]),
  defaultPreload: 'intent',
  // Pages drop unknown search parameters.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
