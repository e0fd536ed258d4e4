import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Logo } from '../../shared/page/logo.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { AccountForm } from './account-form.tsx';
import { readEntrySearch } from '../../shared/addresses/entry-search.ts';

/** Shown at any URL without a session; after signing in, the user sees the page of the URL. */
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
          This link is not valid or was already used. Sign in, or restart the server: it prints a new link until the
          owner has a password.
        </Notice>
      )}
      <div className="w-full max-w-88 rounded-lg border border-line bg-surface p-5">
        <AccountForm
          key={creating ? 'create' : 'sign-in'}
          purpose={creating ? 'create' : 'sign-in'}
          invitation={invitation}
          submitLabel={creating ? 'Create account' : 'Sign in'}
        />
      </div>
      {!creating && (
        <p className="-mt-2 max-w-88 text-center text-sm text-pretty text-ink-faint">
          Just started the server? Open the link that it printed to sign in without a password.
        </p>
      )}
      <p className="flex items-center gap-1 text-sm text-ink-soft">
        {creating ? 'Already have an account?' : 'First user, or invited?'}
        <Button
          look="quiet"
          size="small"
          className="text-accent! underline underline-offset-2"
          onClick={() =>
            void navigate({
              to: creating ? (invitation === undefined ? '/' : '/sign-in') : '/create-account',
              ...(invitation === undefined ? {} : { search: { invitation_token: invitation } }),
            })
          }
        >
          {creating ? 'Sign in' : 'Create an account'}
        </Button>
      </p>
    </main>
  );
}
