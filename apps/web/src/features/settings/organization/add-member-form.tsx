import type { Role } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { addMember, invitationsKey, membersKey } from '../../../shared/api/account/members-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { panelClass } from '../../../shared/page/page.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { roleHelp, roleOptions } from './role-options.ts';
import { ShownOnce } from '../../../shared/page/shown-once.tsx';
import { useChange } from '../../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';

/** Adds a user who has an account, or creates an invitation link for one who has none. */
export function AddMemberForm() {
  const { orgId } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const adding = useChange(() => addMember(orgId, { email: email.trim(), role }), {
    refreshes: [membersKey(orgId), invitationsKey(orgId)],
    onDone: () => setEmail(''),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  const answer = adding.data;
  return (
    <form onSubmit={onSubmit} aria-label="Add a member" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <UnsavedGuard dirty={email !== '' && !adding.isPending} />
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Add by e-mail"
          type="email"
          required
          className="min-w-52 flex-1"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <SelectField
          label="Role"
          className="w-32"
          value={role}
          options={roleOptions}
          onChange={(value) => setRole(value as Role)}
        />
        <Button type="submit" look="primary" disabled={adding.isPending || email.trim() === ''}>
          Add
        </Button>
      </div>
      <p className="text-xs text-ink-faint">{roleHelp}</p>
      {adding.isError && <Notice tone="bad">{messageOf(adding.error)}</Notice>}
      {answer && 'member' in answer && <Notice tone="good">{answer.member.name} is a member now.</Notice>}
      {answer && 'invitation' in answer && (
        <ShownOnce
          secret={`${window.location.origin}/create-account?invitation_token=${encodeURIComponent(answer.invitation.token)}`}
        >
          {`Send this link to the person: it works until ${new Date(answer.invitation.expires_at).toLocaleDateString()}, for that e-mail address only, and as long as you are an admin.`}
        </ShownOnce>
      )}
    </form>
  );
}
