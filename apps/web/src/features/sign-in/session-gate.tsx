import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Me } from '@docwright/contract';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { meQuery, signedOutKey } from '../../shared/api/account/identity-api.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { SessionProvider } from '../../shared/session/session.tsx';

const SignInPage = lazy(async () => ({ default: (await import('./sign-in-page.tsx')).SignInPage }));

const EndedSession = lazy(async () => ({ default: (await import('./ended-session.tsx')).EndedSession }));

/** Shows its children to signed-in users and the sign-in page to others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  const queryClient = useQueryClient();
  const [known, setKnown] = useState<Me>();
  if (me.data && me.data !== known) setKnown(me.data);
  const hasSignedOut = queryClient.getQueryData(signedOutKey) !== undefined;
  // The page stays behind the dialog, with everything that the user was writing.
  const shown = me.data ?? (me.data === null && !hasSignedOut ? known : undefined);
  if (shown) {
    return (
      <SessionProvider key={shown.user.id} me={shown}>
        {children}
        <Suspense>{me.data === null && <EndedSession user={shown.user} />}</Suspense>
      </SessionProvider>
    );
  }
  if (me.data === null) {
    return (
      <Suspense>
        <SignInPage />
      </Suspense>
    );
  }
  return (
    <main className="flex h-full items-center justify-center p-4">
      {me.isError ? (
        <Notice
          tone="bad"
          actions={
            <Button size="small" onClick={() => void me.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(me.error)}
        </Notice>
      ) : (
        <Spinner label="Loading" className="text-ink-faint" />
      )}
    </main>
  );
}
