import { Outlet } from '@tanstack/react-router';
import { ClaimBanner } from '../identity/claim-banner.tsx';
import { SessionGate } from '../identity/session-gate.tsx';
import { useSession } from '../identity/session.tsx';
import { AppHeader } from './app-header.tsx';

/** What stands around every page. */
export function AppShell() {
  return (
    <SessionGate>
      <SignedIn />
    </SessionGate>
  );
}

function SignedIn() {
  const { me } = useSession();
  return (
    <div className="flex h-full flex-col">
      <AppHeader />
      {!me.user.has_password && <ClaimBanner />}
      <div className="flex min-h-0 flex-1 flex-col">
        <Outlet />
      </div>
    </div>
  );
}
