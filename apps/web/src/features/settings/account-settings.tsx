import { LogOut } from 'lucide-react';
import { Suspense, useState, type FormEvent } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { changePassword, sessionsQuery, minPasswordLength } from '../../shared/api/account/identity-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { panelClass } from '../../shared/page/page.tsx';
import { useSignOut } from '../../shared/page/use-sign-out.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SecondFactorSettings } from './two-step/second-factor-settings.tsx';
import { SessionSettings } from './session-settings.tsx';
import { FactRow, FactList } from '../../shared/ui/fact-list.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { useChange } from '../../shared/page/use-change.ts';

const ClaimDialog = lazyPart(async () => ({ default: (await import('../sign-in/claim-dialog.tsx')).ClaimDialog }));

export function AccountSettings() {
  const { me, organization } = useSession();
  const leaving = useSignOut();
  const [claiming, setClaiming] = useState(false);
  return (
    <>
      <PageSection title="Account">
        <FactList className={`${panelClass} max-w-xl p-3`}>
          <FactRow term="Name">{me.user.name}</FactRow>
          <FactRow term="E-mail">{me.user.has_password ? me.user.email : 'Not set yet'}</FactRow>
          <FactRow term="Organization">{organization.name}</FactRow>
          <FactRow term="Role">{organization.role}</FactRow>
        </FactList>
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
            This account has no e-mail and password yet: once you sign out, you cannot sign in to it again.
          </Notice>
        )}
        {leaving.error && <Notice tone="bad">{messageOf(leaving.error)}</Notice>}
        <Button className="self-start" disabled={leaving.isPending} onClick={leaving.start}>
          <LogOut aria-hidden className="size-4" /> Sign out
        </Button>
        <Suspense>{claiming && <ClaimDialog onClose={() => setClaiming(false)} />}</Suspense>
      </PageSection>
      {me.user.has_password && <PasswordSettings email={me.user.email} />}
      {me.user.has_password && (
        <PageSection
          title="Two-step sign-in"
          note="Signing in then needs your password and a code from an authenticator app."
        >
          <SecondFactorSettings />
        </PageSection>
      )}
      <SessionSettings />
    </>
  );
}

function PasswordSettings({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useChange(() => changePassword({ current_password: current, new_password: next }), {
    refreshes: [sessionsQuery.queryKey],
    says: 'Password changed. Your other sessions have ended.',
    onDone: () => {
      setCurrent('');
      setNext('');
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <PageSection title="Password" note="Changing it signs you out everywhere else. Access tokens keep working.">
      <form onSubmit={onSubmit} aria-label="Password" className={`${panelClass} flex max-w-xl flex-col gap-3 p-3`}>
        {/* Password managers read the account from this field. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={minPasswordLength}
          help={`At least ${minPasswordLength} characters.`}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        {changing.isError && <Notice tone="bad">{messageOf(changing.error)}</Notice>}
        <Button type="submit" className="self-start" disabled={changing.isPending || current === '' || next === ''}>
          Change password
        </Button>
      </form>
    </PageSection>
  );
}
