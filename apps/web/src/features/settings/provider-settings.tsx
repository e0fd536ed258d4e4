import type { LlmProvider } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteProvider, providersQuery } from '../../shared/api/models-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { isServerEndpoint } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

/** Key of the form of a new provider; no provider can have this name. */
const newProvider = '+';

/** Lists the providers of models: the endpoint of the server's settings and those of the organization. */
export function ProviderSettings() {
  const { orgId, organization } = useSession();
  const isAdmin = organization.role === 'admin';
  const list = useQuery(providersQuery(orgId));
  const [open, setOpen] = useState<string>();
  const [deleting, setDeleting] = useState<LlmProvider>();
  const queryClient = useQueryClient();
  const providers = list.data?.providers;
  const taken = providers?.map(({ name }) => name) ?? [];
  const close = () => setOpen(undefined);
  const remove = async ({ name }: LlmProvider) => {
    await deleteProvider(orgId, name);
    await Promise.all(['providers', 'models'].map((key) => queryClient.invalidateQueries({ queryKey: [key, orgId] })));
  };
  return (
    <PageSection
      title="Providers"
      note="The first one comes from the server’s settings LLM_BASE_URL, LLM_API_KEY and LLM_MODEL."
      actions={
        isAdmin &&
        open === undefined && (
          <Button onClick={() => setOpen(newProvider)}>
            <Plus aria-hidden className="size-4" /> Add a provider
          </Button>
        )
      }
    >
      {open === newProvider && (
        <div className={panelClass}>
          <ProviderForm provider={undefined} taken={taken} onSaved={({ name }) => setOpen(name)} onClose={close} />
        </div>
      )}
      {list.isError ? (
        <RetryNotice error={list.error} retry={() => void list.refetch()} />
      ) : (
        <ul className={`${panelClass} divide-y divide-line`} aria-busy={providers === undefined}>
          {providers === undefined && (
            <li className="p-3">
              <Skeleton className="h-8 w-1/2" />
            </li>
          )}
          {providers?.map((provider) => (
            <li key={provider.name}>
              <ProviderLine
                provider={provider}
                onEdit={isAdmin ? () => setOpen(provider.name) : undefined}
                onDelete={isAdmin && !isServerEndpoint(provider.name) ? () => setDeleting(provider) : undefined}
                disabled={open !== undefined}
              />
              {open === provider.name && (
                <div className="border-t border-line">
                  <ProviderForm provider={provider} taken={taken} onSaved={() => {}} onClose={close} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete “${deleting.display_name}”?`}
          description="This also removes its token. Its models can no longer be chosen."
          action="Delete"
          run={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </PageSection>
  );
}

interface ProviderLineProps {
  provider: LlmProvider;
  onEdit: (() => void) | undefined;
  /** Undefined for the endpoint of the server's settings. */
  onDelete: (() => void) | undefined;
  /** True while another form is open, whose changes would be lost. */
  disabled: boolean;
}

function ProviderLine({ provider, onEdit, onDelete, disabled }: ProviderLineProps) {
  const { name, display_name, base_url, kind, token, enabled, litellm_models_enabled } = provider;
  const count = litellm_models_enabled.length;
  const facts = [
    kind,
    count === 1 ? 'one model in use' : `${count} models in use`,
    token === null ? 'no token' : `token ${isServerEndpoint(name) ? 'set' : token}`,
  ];
  return (
    <div className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          {display_name}
          {!enabled && <span className="ml-2 rounded-full bg-sunken px-2 text-xs font-normal text-ink-soft">off</span>}
        </p>
        <p className="text-xs text-ink-soft wrap-anywhere">{base_url}</p>
        <p className="text-xs text-ink-faint wrap-anywhere">{facts.join(' · ')}</p>
      </div>
      {onEdit && (
        <IconButton label={`Edit ${display_name}`} disabled={disabled} onClick={onEdit}>
          <Pencil className="size-4" />
        </IconButton>
      )}
      {onDelete && (
        <IconButton label={`Delete ${display_name}`} disabled={disabled} onClick={onDelete}>
          <Trash2 className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
