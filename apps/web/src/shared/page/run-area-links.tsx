import { AreaLinks as Links } from './area-links.tsx';

const areas = [
  { to: '/schedules', label: 'Schedules' },
  { to: '/runs', label: 'Runs' },
] as const;

/** The two halves of work that nobody watches: what is planned, and what was done. */
export const AreaLinks = () => <Links label="Schedules and runs" areas={areas} />;
