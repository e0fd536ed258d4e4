import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { useSignOut } from '../../shared/page/use-sign-out.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SettingsPart } from './settings-part.tsx';

const ClaimDialog = lazy(async () => ({ default: (await import('../sign-in/claim-dialog.tsx')).ClaimDialog }));

export function AccountSettings() {
  const { me, organization } = useSession();
  const leaving = useSignOut();
  const [claiming, setClaiming] = useState(false);
  return (
    <SettingsPart title="Account">
      <dl
        className={`${panelClass} grid max-w-xl grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 p-3 text-sm [&_dd]:wrap-anywhere [&_dt]:text-ink-soft`}
      >
        <dt>Name</dt>
        <dd>{me.user.name}</dd>
        <dt>E-mail</dt>
        <dd>{me.user.has_password ? me.user.email : 'Not set yet'}</dd>
        <dt>Organization</dt>
        <dd>{organization.name}</dd>
        <dt>Role</dt>
        <dd>{organization.role}</dd>
      </dl>
      {!me.user.has_password && (
        <Notice
          tone="warn"
          className="max-w-xl"
          actions={
            <Button size="small" onClick={() => setClaiming(true)}>
              Set them
            </Button>
          }
        >
          This account has no e-mail and password yet: once signed out, nobody could sign in to it again.
        </Notice>
      )}
      {leaving.isError && <Notice tone="bad">{messageOf(leaving.error)}</Notice>}
      <Button className="self-start" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        <LogOut aria-hidden className="size-4" /> Sign out
      </Button>
      <Suspense>{claiming && <ClaimDialog onClose={() => setClaiming(false)} />}</Suspense>
    </SettingsPart>
  );
}
