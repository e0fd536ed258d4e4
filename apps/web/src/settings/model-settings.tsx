import type { LlmModel, LlmProvider } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery, providersQuery } from '../api/models-api.ts';
import { useSession } from '../identity/session.tsx';
import { panelClass } from '../layout/page.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SettingsPart } from './settings-part.tsx';

const modelColumns: Column<LlmModel>[] = [
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
  { label: 'For chat', className: 'w-24', render: ({ chat_agent }) => (chat_agent ? 'yes' : 'no') },
];

const providerColumns: Column<LlmProvider>[] = [
  {
    label: 'Provider',
    render: ({ display_name, base_url }) => (
      <>
        <span className="block font-medium wrap-anywhere">{display_name}</span>
        <span className="block text-xs text-ink-soft wrap-anywhere">{base_url}</span>
      </>
    ),
  },
  { label: 'Kind', wideOnly: true, className: 'w-28 text-ink-soft', render: ({ kind }) => kind },
  {
    label: 'Models in use',
    className: 'w-32 text-right tabular-nums',
    render: ({ litellm_models_enabled }) => litellm_models_enabled.length,
  },
  { label: 'On', className: 'w-16', render: ({ enabled }) => (enabled ? 'yes' : 'no') },
];

export function ModelSettings() {
  const { orgId } = useSession();
  const models = useQuery(modelsQuery(orgId));
  const providers = useQuery(providersQuery(orgId));
  return (
    <>
      <SettingsPart title="Models" note="What the agent and extractions may answer with.">
        {models.isError ? (
          <RetryNotice error={models.error} retry={() => void models.refetch()} />
        ) : (
          <div className={panelClass}>
            <DataTable label="Models" columns={modelColumns} items={models.data?.models} keyOf={({ id }) => id} />
          </div>
        )}
      </SettingsPart>
      <SettingsPart
        title="Providers"
        note="The first comes from the settings that the server was started with: LLM_BASE_URL, LLM_API_KEY and LLM_MODEL."
      >
        {providers.isError ? (
          <RetryNotice error={providers.error} retry={() => void providers.refetch()} />
        ) : (
          <div className={panelClass}>
            <DataTable
              label="Providers"
              columns={providerColumns}
              items={providers.data?.providers}
              keyOf={({ name }) => name}
            />
          </div>
        )}
      </SettingsPart>
    </>
  );
}
