import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../api/account/members-api.ts';
import { useSession } from '../session/session.tsx';

/** Returns a function from a user id to a name; names are empty while they load. */
export function useMemberName(): (userId: string) => string {
  const { orgId } = useSession();
  const members = useQuery(membersQuery(orgId)).data?.members;
  return (userId) => {
    // Work on documents that arrive belongs to no person.
    if (userId === orgId) return 'the organization';
    if (members === undefined) return '';
    return members.find((member) => member.user_id === userId)?.name ?? 'a former member';
  };
}
