import type { Role } from '@docwright/contract';

/** The roles as options. */
export const roleOptions: { value: Role; label: string }[] = [
  { value: 'admin', label: 'Admin' },
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
];

export const roleHelp = 'Viewers read, members write, admins also manage people, rules, models and the budget.';
