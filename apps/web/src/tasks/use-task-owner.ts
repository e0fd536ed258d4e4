import { useMemo } from 'react';
import type { TaskOwner } from '../api/tasks-api.ts';
import { useSession } from '../identity/session.tsx';

/** The signed-in person in the organization at hand. */
export function useTaskOwner(): TaskOwner {
  const { me, orgId } = useSession();
  const userId = me.user.id;
  return useMemo(() => ({ userId, orgId }), [userId, orgId]);
}
