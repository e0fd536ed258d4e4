export const settingsSections = [
  'account',
  'organization',
  'tokens',
  'routes',
  'webhooks',
  'rules',
  'models',
  'usage',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const sectionLabels: Record<SettingsSection, string> = {
  account: 'Account',
  organization: 'Organization and members',
  tokens: 'Access tokens',
  routes: 'Routes',
  webhooks: 'Webhooks',
  rules: 'Permission rules',
  models: 'Models',
  usage: 'Usage',
};

/** Reads a query string that a user may have typed; anything invalid opens the first section. */
export function readSettingsSearch(search: Record<string, unknown>): { section?: SettingsSection } {
  const section = settingsSections.find((known) => known === search['section']);
  return section === undefined || section === 'account' ? {} : { section };
}
