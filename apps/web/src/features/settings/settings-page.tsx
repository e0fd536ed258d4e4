import { getRouteApi, Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Page, panelClass } from '../../shared/page/page.tsx';
import { AccountSettings } from './account-settings.tsx';
import { OrganizationSettings } from './organization/organization-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { sectionLabels, settingsSections, type SettingsSection } from '../../shared/addresses/settings-section.ts';
import { TokenSettings } from './token-settings.tsx';
import { UsageSettings } from './usage/usage-settings.tsx';
import { useSession } from '../../shared/session/session.tsx';
import type { LlmModel } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../shared/api/models-api.ts';
import { DataTable, type TableColumn } from '../../shared/ui/data-table.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { ProviderSettings } from './provider-settings.tsx';
import { RouteSettings } from './routes/route-settings.tsx';
import { WebhookSettings } from './webhooks/webhook-settings.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { version } from '../../../../../package.json';

const route = getRouteApi('/settings');

const sections: Record<SettingsSection, ComponentType> = {
  account: AccountSettings,
  organization: OrganizationSettings,
  tokens: TokenSettings,
  routes: RouteSettings,
  webhooks: WebhookSettings,
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
                  {sectionLabels[each]}
                </Link>
              </li>
            ))}
          </ul>
          <p className="mt-3 px-2 text-xs text-ink-soft">Docwright {version}</p>
        </nav>
        <div className="flex min-w-0 flex-col gap-8">
          <Section key={section} />
        </div>
      </div>
    </Page>
  );
}

const modelColumns: TableColumn<LlmModel>[] = [
  {
    label: 'Model',
    render: ({ id, default: isDefault }) => (
      <span className="wrap-anywhere">
        <span className="font-medium">{id}</span>
        {isDefault && <span className="text-ink-soft"> · the default</span>}
        {id.startsWith('demo-rules') && (
          <span className="block text-xs text-ink-soft">rules, not a language model</span>
        )}
      </span>
    ),
  },
  { label: 'Provider', wideOnly: true, className: 'w-40 text-ink-soft', render: ({ provider }) => provider },
  { label: 'Sees images', wideOnly: true, className: 'w-28', render: ({ vision }) => (vision ? 'yes' : 'no') },
  { label: 'For chat', className: 'w-24', render: ({ chat_agent }) => (chat_agent ? 'yes' : 'no') },
];

function ModelSettings() {
  const { orgId } = useSession();
  const models = useQuery(modelsQuery(orgId));
  return (
    <>
      <PageSection title="Models" note="Models for the agent and extractions.">
        {models.isError ? (
          <RetryNotice error={models.error} retry={() => void models.refetch()} />
        ) : (
          <div className={panelClass}>
            <DataTable label="Models" columns={modelColumns} items={models.data?.models} keyOf={({ id }) => id} />
          </div>
        )}
      </PageSection>
      {/* Not before the number of models is known: it would move. */}
      {!models.isPending && <ProviderSettings />}
    </>
  );
}
