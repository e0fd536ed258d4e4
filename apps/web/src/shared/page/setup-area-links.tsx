import { AreaLinks } from './area-links.tsx';

const areas = [
  { to: '/collections', label: 'Collections' },
  { to: '/setup', label: 'Guided setup' },
  { to: '/setup/sources', label: 'Sources' },
] as const;

/** What can be searched, the conversations that it comes of, and the sets of documents that they are about. */
export const SetupLinks = () => <AreaLinks label="Collections and their setup" areas={areas} />;
