import { useMemo } from 'react';
import type { TaskOwner } from './tasks-api.ts';
import { useSession } from '../../shared/session/session.tsx';

/** The signed-in user in the current organization. */
export function useTaskOwner(): TaskOwner {
  const { me, orgId } = useSession();
  const userId = me.user.id;
  return useMemo(() => ({ userId, orgId }), [userId, orgId]);
}
