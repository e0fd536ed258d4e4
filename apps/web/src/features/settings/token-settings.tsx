import type { AccessToken } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { accessTokensKey, accessTokensQuery, deleteAccessToken } from '../../shared/api/account/access-tokens-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { DataTable, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';

function expiryLabel(expiresAt: string | null): string {
  if (expiresAt === null) return 'never';
  return new Date(expiresAt) < new Date() ? 'expired' : formatMoment(expiresAt);
}

export function TokenSettings() {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const tokens = useQuery(accessTokensQuery(orgId));
  const [revoking, setRevoking] = useState<AccessToken>();
  const columns: TableColumn<AccessToken>[] = [
    {
      label: 'Name',
      render: ({ name, prefix }) => (
        <>
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate font-mono text-xs text-ink-soft">{prefix}…</span>
        </>
      ),
    },
    {
      label: 'Can',
      wideOnly: true,
      className: 'w-44 text-ink-soft',
      render: ({ scopes }) => (scopes.length === 4 ? 'everything' : scopes.join(', ')),
    },
    { label: 'Role', wideOnly: true, className: 'w-24 capitalize', render: ({ role }) => role },
    { label: 'Expires', className: 'w-28 text-ink-soft', render: ({ expires_at }) => expiryLabel(expires_at) },
    {
      label: 'Last used',
      wideOnly: true,
      className: 'w-32 text-ink-soft',
      render: ({ last_used_at }) => (last_used_at === null ? 'not yet' : formatMoment(last_used_at)),
    },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-12 text-right',
      render: (token) => (
        <IconButton label={`Revoke ${token.name}`} onClick={() => setRevoking(token)}>
          <Trash2 className="size-3.5" />
        </IconButton>
      ),
    },
  ];
  return (
    <PageSection
      title="Access tokens"
      note="For programs. A token acts for its creator, in this organization only, with at most that role."
    >
      {tokens.isError ? (
        <RetryNotice error={tokens.error} retry={() => void tokens.refetch()} />
      ) : (
        <div className={panelClass}>
          {tokens.data?.access_tokens.length === 0 ? (
            <EmptyState icon={KeyRound} title="No access tokens">
              Make one below to call the API from a program. It is sent as{' '}
              <code className="font-mono text-xs">Authorization: Bearer …</code>
            </EmptyState>
          ) : (
            <DataTable
              label="Access tokens"
              columns={columns}
              items={tokens.data?.access_tokens}
              keyOf={({ id }) => id}
            />
          )}
        </div>
      )}
      <NewTokenForm />
      {revoking && (
        <ConfirmDialog
          title={`Revoke “${revoking.name}”?`}
          description="Programs that use it lose access at once."
          action="Revoke"
          run={async () => {
            await deleteAccessToken(orgId, revoking.id);
            await queryClient.invalidateQueries({ queryKey: accessTokensKey(orgId) });
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </PageSection>
  );
}
