import type { Member, Role } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { meQuery } from '../../../shared/api/account/identity-api.ts';
import {
  changeRole,
  membersKey,
  membersQuery,
  removeMember,
  signOutMember,
} from '../../../shared/api/account/members-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { DataTable, type TableColumn } from '../../../shared/ui/data-table.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { inputClass } from '../../../shared/ui/fields/text-field.tsx';
import { AddMemberForm } from './add-member-form.tsx';
import { roleOptions } from './role-options.ts';
import { PageSection } from '../../../shared/page/page-section.tsx';

export function MemberSettings() {
  const { me, orgId, organization } = useSession();
  const queryClient = useQueryClient();
  const admin = organization.role === 'admin';
  const [removing, setRemoving] = useState<Member>();
  const [signingOut, setSigningOut] = useState<Member>();
  const members = useQuery(membersQuery(orgId));
  /** The session contains the user's own role and membership. */
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: membersKey(orgId) }),
      queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
  const changing = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) => changeRole(orgId, userId, role),
    onSuccess: refresh,
  });
  const columns: TableColumn<Member>[] = [
    {
      label: 'Name',
      render: ({ name, email, user_id }) => (
        <>
          <span className="block truncate font-medium">
            {name}
            {user_id === me.user.id && <span className="font-normal text-ink-soft"> (you)</span>}
          </span>
          <span className="block truncate text-xs text-ink-soft">{email}</span>
        </>
      ),
    },
    {
      label: 'Role',
      className: 'w-32',
      render: ({ user_id, name, role }) =>
        admin ? (
          <select
            aria-label={`Role of ${name}`}
            className={inputClass}
            value={role}
            disabled={changing.isPending}
            onChange={(event) => changing.mutate({ userId: user_id, role: event.target.value as Role })}
          >
            {roleOptions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <span className="capitalize">{role}</span>
        ),
    },
    {
      label: 'Actions',
      labelHidden: true,
      className: 'w-22 text-right',
      render: (member) =>
        admin && (
          <>
            {member.user_id !== me.user.id && (
              <IconButton label={`Sign ${member.name} out`} onClick={() => setSigningOut(member)}>
                <LogOut className="size-4" />
              </IconButton>
            )}
            <IconButton label={`Remove ${member.name}`} onClick={() => setRemoving(member)}>
              <UserMinus className="size-4" />
            </IconButton>
          </>
        ),
    },
  ];
  return (
    <PageSection title="Members" note={admin ? undefined : 'Admins add people and change their roles.'}>
      {changing.isError && <Notice tone="bad">{messageOf(changing.error)}</Notice>}
      {members.isError ? (
        <RetryNotice error={members.error} retry={() => void members.refetch()} />
      ) : (
        <div className={panelClass}>
          <DataTable label="Members" columns={columns} items={members.data?.members} keyOf={({ user_id }) => user_id} />
        </div>
      )}
      {admin && <AddMemberForm />}
      {signingOut && (
        <ConfirmDialog
          title={`Sign ${signingOut.name} out?`}
          description="All their sessions end, and their access tokens for this organization stop working. They can sign in again."
          action="Sign out"
          run={() => signOutMember(orgId, signingOut.user_id)}
          onClose={() => setSigningOut(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          description="They lose access to this organization, and their access tokens stop working. What they made is kept."
          action="Remove"
          run={async () => {
            await removeMember(orgId, removing.user_id);
            await refresh();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </PageSection>
  );
}
