import type { Invitation } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invitationsKey, invitationsQuery, revokeInvitation } from '../../../shared/api/account/members-api.ts';
import { formatMoment, fullMoment } from '../../../shared/formats/format-document.ts';
import { panelClass } from '../../../shared/page/page.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { DataTable, type TableColumn } from '../../../shared/ui/data-table.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';

/** Lists the pending invitations, for admins; hidden if there are none. */
export function InvitationSettings() {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const invitations = useQuery(invitationsQuery(orgId));
  const [revoking, setRevoking] = useState<Invitation>();
  const columns: TableColumn<Invitation>[] = [
    {
      label: 'E-mail',
      render: ({ email, invited_by }) => (
        <>
          <span className="block truncate font-medium" title={email}>
            {email}
          </span>
          <span className="block truncate text-xs text-ink-soft">from {invited_by.name}</span>
        </>
      ),
    },
    { label: 'Role', wideOnly: true, className: 'w-24 capitalize', render: ({ role }) => role },
    {
      label: 'Expires',
      className: 'w-28 text-ink-soft',
      render: ({ expires_at }) => <span title={fullMoment(expires_at)}>{formatMoment(expires_at)}</span>,
    },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-12 text-right',
      render: (invitation) => (
        <IconButton label={`Revoke the invitation of ${invitation.email}`} onClick={() => setRevoking(invitation)}>
          <Trash2 className="size-3.5" />
        </IconButton>
      ),
    },
  ];
  if (invitations.data?.invitations.length === 0) return null;
  return (
    <PageSection title="Invitations">
      {invitations.isError ? (
        <RetryNotice error={invitations.error} retry={() => void invitations.refetch()} />
      ) : (
        <div className={panelClass}>
          <DataTable
            label="Invitations"
            columns={columns}
            items={invitations.data?.invitations}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {revoking && (
        <ConfirmDialog
          title={`Revoke the invitation of ${revoking.email}?`}
          description="Its link stops working at once."
          action="Revoke"
          run={async () => {
            await revokeInvitation(orgId, revoking.id);
            await queryClient.invalidateQueries({ queryKey: invitationsKey(orgId) });
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </PageSection>
  );
}
