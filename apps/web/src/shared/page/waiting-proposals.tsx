import { useQuery } from '@tanstack/react-query';
import { proposalCountQuery } from '../proposals/proposals-api.ts';
import { useSession } from '../session/session.tsx';
import { CountBadge } from './count-badge.tsx';

/** The number of kinds that wait for a decision. */
export function WaitingProposals() {
  const { orgId } = useSession();
  return <CountBadge count={useQuery(proposalCountQuery(orgId)).data} />;
}
