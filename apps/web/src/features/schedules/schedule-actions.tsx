import type { Schedule } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { runsKey } from '../../shared/api/runs-api.ts';
import { deleteSchedule, runSchedule, schedulesKey } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';

/** Starts a run of the schedule and opens its page. */
export function useRunNow(schedule: Schedule) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return useMutation({
    mutationFn: () => runSchedule(orgId, schedule.id),
    onSuccess: async (run) => {
      void queryClient.invalidateQueries({ queryKey: runsKey(orgId) });
      await navigate({ to: '/runs/$runId', params: { runId: run.id } });
    },
    onError: (error) => toast(messageOf(error), 'bad'),
  });
}

interface ScheduleActionsProps {
  schedule: Schedule;
  /** Whether the menu has Run and Edit; on the schedule's page these are buttons. */
  withRun?: boolean;
  onDeleted?: () => void;
}

export function ScheduleActions({ schedule, withRun = false, onDeleted }: ScheduleActionsProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const running = useRunNow(schedule);
  const [deleting, setDeleting] = useState(false);
  const { id, name } = schedule;
  return (
    <>
      <ActionsMenu of={name}>
        {withRun && (
          <MenuItem disabled={running.isPending} onSelect={() => running.mutate()}>
            <Play aria-hidden /> Run now
          </MenuItem>
        )}
        {withRun && (
          <MenuItem onSelect={() => void navigate({ to: '/schedules/$scheduleId/edit', params: { scheduleId: id } })}>
            <Pencil aria-hidden /> Edit
          </MenuItem>
        )}
        {withRun && <MenuLine />}
        <MenuItem danger onSelect={() => setDeleting(true)}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </ActionsMenu>
      {deleting && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description="It will not run again. Its runs stay in the list; an active run continues to its end."
          action="Delete"
          run={async () => {
            await deleteSchedule(orgId, id);
            toast(`“${name}” is deleted.`);
            onDeleted?.();
            await queryClient.invalidateQueries({
              queryKey: schedulesKey(orgId),
              predicate: ({ queryKey }) => queryKey[2] !== 'one',
            });
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
