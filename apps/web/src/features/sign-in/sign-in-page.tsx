import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Logo } from '../../shared/page/logo.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { CreateAccountForm } from './create-account-form.tsx';
import { readEntrySearch } from '../../shared/addresses/entry-search.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Where everybody lands without a session, whatever the address; afterwards they see what the address asked for. */
export function SignInPage() {
  const navigate = useNavigate();
  const creating = useRouterState({ select: (state) => state.location.pathname === '/create-account' });
  const { invitation_token: invitation, link } = readEntrySearch(
    Object.fromEntries(new URLSearchParams(window.location.search)),
  );
  return (
    <main className="flex min-h-full flex-col items-center justify-center gap-6 p-4">
      <title>Docwright</title>
      <div className="flex flex-col items-center gap-2 text-center">
        <Logo className="size-10" />
        <h1 className="text-xl font-semibold">{creating ? 'Create your account' : 'Sign in to Docwright'}</h1>
      </div>
      {link === 'used' && !creating && (
        <Notice tone="warn" className="w-full max-w-88">
          This link has been used, or is none. Sign in, or start the server again: it prints a new one until the owner
          has a password.
        </Notice>
      )}
      <div className="w-full max-w-88 rounded-lg border border-line bg-surface p-5">
        {creating ? <CreateAccountForm invitation={invitation} /> : <SignInForm />}
      </div>
      {!creating && (
        <p className="-mt-2 max-w-88 text-center text-sm text-pretty text-ink-faint">
          Just started the server? The link that it printed signs you in without a password.
        </p>
      )}
      <p className="flex items-center gap-1 text-sm text-ink-soft">
        {creating ? 'You have an account?' : 'First one here, or invited?'}
        <Button
          look="quiet"
          size="small"
          className="text-accent! underline underline-offset-2"
          onClick={() => void navigate({ to: creating ? '/' : '/create-account' })}
        >
          {creating ? 'Sign in' : 'Create an account'}
        </Button>
      </p>
    </main>
  );
}
