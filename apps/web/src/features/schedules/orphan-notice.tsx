import type { Schedule } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../shared/http/api-error.ts';
import { membersQuery } from '../../shared/api/members-api.ts';
import { changeSchedule, schedulesKey } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

/** Says so where the runs of a schedule can only fail, since its maker may run nothing any more. */
export function OrphanNotice({ schedule }: { schedule: Schedule }) {
  const { orgId, organization } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const list = useQuery(membersQuery(orgId)).data;
  // An admin's change of any kind makes it theirs.
  const taking = useMutation({
    mutationFn: () => changeSchedule(orgId, schedule.id, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: schedulesKey(orgId) }),
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  const maker = list?.members.find(({ user_id }) => user_id === schedule.created_by);
  const allKnown = list !== undefined && list.total_count === list.members.length;
  if (!allKnown || (maker !== undefined && maker.role !== 'viewer')) return null;
  const isAdmin = organization.role === 'admin';
  return (
    <Notice
      tone="warn"
      actions={
        isAdmin && (
          <Button size="small" disabled={taking.isPending} onClick={() => taking.mutate()}>
            Take it over
          </Button>
        )
      }
    >
      {maker === undefined ? 'Who made this schedule has left the organization' : `${maker.name} may only read now`}:
      its runs fail when they are due.{' '}
      {isAdmin ? 'Take it over, and it runs in your name.' : 'An admin can take it over.'}
    </Notice>
  );
}
