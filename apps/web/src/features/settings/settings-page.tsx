import { getRouteApi, Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Page } from '../../shared/page/page.tsx';
import { AccountSettings } from './account-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { OrganizationSettings } from './organization-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { sectionWords, settingsSections, type SettingsSection } from '../../shared/addresses/settings-section.ts';
import { TokenSettings } from './token-settings.tsx';
import { UsageSettings } from './usage-settings.tsx';

const route = getRouteApi('/settings');

const sections: Record<SettingsSection, ComponentType> = {
  account: AccountSettings,
  organization: OrganizationSettings,
  tokens: TokenSettings,
  rules: RuleSettings,
  models: ModelSettings,
  usage: UsageSettings,
};

export function SettingsPage() {
  const { section = 'account' } = route.useSearch();
  const Section = sections[section];
  return (
    <Page title="Settings">
      <div className="grid items-start gap-x-8 gap-y-4 md:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="Settings">
          <ul className="flex flex-wrap gap-0.5 md:flex-col">
            {settingsSections.map((each) => (
              <li key={each}>
                <Link
                  to="/settings"
                  search={each === 'account' ? {} : { section: each }}
                  activeOptions={{ exact: true }}
                  className="block rounded-md px-2 py-1.5 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink"
                >
                  {sectionWords[each]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex min-w-0 flex-col gap-8">
          <Section key={section} />
        </div>
      </div>
    </Page>
  );
}
