import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Me } from '@docwright/contract';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { messageOf } from '../../shared/http/api-error.ts';
import { meQuery, signedOutKey } from '../../shared/api/account/identity-api.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { SessionProvider } from '../../shared/session/session.tsx';
import { onOtherUser, storageOwner } from '../../shared/ui/browser/stored-value.ts';

const SignInPage = lazyPart(async () => ({ default: (await import('./sign-in-page.tsx')).SignInPage }));

const OtherUser = lazyPart(async () => ({ default: (await import('./ended-session.tsx')).OtherUser }));
const EndedSession = lazyPart(async () => ({ default: (await import('./ended-session.tsx')).EndedSession }));

/** Shows its children to signed-in users and the sign-in page to others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  const queryClient = useQueryClient();
  const [known, setKnown] = useState<Me>();
  const isOther = me.data != null && storageOwner() !== undefined && me.data.user.id !== storageOwner();
  if (me.data && me.data !== known && !isOther) setKnown(me.data);
  const hasSignedOut = queryClient.getQueryData(signedOutKey) !== undefined;
  useEffect(() => onOtherUser(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })), [queryClient]);
  // The page holds what the former user has read and written; there is nothing unsaved after a deliberate sign-out.
  const isNext = isOther && (known === undefined || hasSignedOut);
  useEffect(() => {
    if (isNext) window.location.reload();
  }, [isNext]);
  if (isNext) return null;
  // The page stays behind the dialog, with everything that the user was writing.
  const shown = isOther ? known : (me.data ?? (me.data === null && !hasSignedOut ? known : undefined));
  if (shown) {
    return (
      <SessionProvider key={shown.user.id} me={shown}>
        {children}
        <Suspense>
          {me.data === null && <EndedSession user={shown.user} />}
          {isOther && me.data && <OtherUser user={shown.user} other={me.data.user} />}
        </Suspense>
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
