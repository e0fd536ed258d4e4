import { AreaLinks } from '../layout/area-links.tsx';

const areas = [
  { to: '/setup', label: 'Setups' },
  { to: '/setup/sources', label: 'Sources' },
] as const;

/** The conversations, and the sets of documents that they are about. */
export const SetupLinks = () => <AreaLinks label="Guided setup" areas={areas} />;
