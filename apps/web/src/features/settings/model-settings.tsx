import type { LlmModel } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../shared/api/models-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { DataTable, type Column } from '../../shared/ui/data-table.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { ProviderSettings } from './provider-settings.tsx';
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

export function ModelSettings() {
  const { orgId } = useSession();
  const models = useQuery(modelsQuery(orgId));
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
      <ProviderSettings />
    </>
  );
}
