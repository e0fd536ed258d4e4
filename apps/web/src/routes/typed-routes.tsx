import { createRoute, redirect } from '@tanstack/react-router';
import { settingsSections } from '../shared/addresses/settings-section.ts';
import { rootRoute } from './root-route.tsx';

const settings = (section: string) => `/settings?section=${section}`;

/** Addresses that users type because pages are called like this, and where they lead. */
export const typedAddresses: Readonly<Record<string, string>> = {
  '/home': '/',
  '/document': '/',
  '/upload': '/',
  '/schema': '/schemas',
  '/prompt': '/prompts',
  '/tag': '/tags',
  '/extractions': '/results',
  '/approvals': '/inbox',
  '/sources': '/setup/sources',
  '/pipelines': '/setup',
  '/proposal': '/proposals',
  '/schedule': '/schedules',
  '/task': '/tasks',
  '/collection': '/collections',
  '/members': settings('organization'),
  '/users': settings('organization'),
  ...Object.fromEntries(settingsSections.map((section) => [`/${section}`, settings(section)])),
  '/login': '/sign-in',
  '/signin': '/sign-in',
  '/register': '/create-account',
  '/signup': '/create-account',
};

/** Without a type of their own: links lead to the pages themselves. */
export const typedRoutes = Object.entries(typedAddresses).map(([path, href]) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ href, replace: true });
    },
  }),
) as unknown as [];
