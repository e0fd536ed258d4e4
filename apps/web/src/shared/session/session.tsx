import type { Me, Membership } from '@docwright/contract';
import { createContext, use, useMemo, type ReactNode } from 'react';
import { readStored, useStoredValue } from '../ui/browser/stored-value.ts';

export interface AppSession {
  me: Me;
  organization: Membership;
  orgId: string;
  /** False for viewers: the server rejects their writes, so pages do not offer them. */
  canWrite: boolean;
  chooseOrganization: (orgId: string) => void;
}

const chosenKey = 'docwright.organization';

/** The organization that a user works in: the one chosen last in this browser, else the first. */
export const organizationOf = (me: Me, chosen = readStored(chosenKey)): Membership | undefined =>
  me.organizations.find(({ id }) => id === chosen) ?? me.organizations[0];

const SessionContext = createContext<AppSession | undefined>(undefined);

export function SessionProvider({ me, children }: { me: Me; children: ReactNode }) {
  const [chosen, choose] = useStoredValue(chosenKey);
  const organization = organizationOf(me, chosen);
  const session = useMemo(
    () =>
      organization && {
        me,
        organization,
        orgId: organization.id,
        canWrite: organization.role !== 'viewer',
        chooseOrganization: choose,
      },
    [me, organization, choose],
  );
  if (!session) return <p className="p-8">You belong to no organization. Ask an admin to invite you.</p>;
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session; undefined outside of the pages that need one. */
export const useSessionIfAny = (): AppSession | undefined => use(SessionContext);

export function useSession(): AppSession {
  const session = useSessionIfAny();
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}
