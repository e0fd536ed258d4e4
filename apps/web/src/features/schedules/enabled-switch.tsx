import type { Schedule } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../shared/http/api-error.ts';
import { changeSchedule, schedulesKey } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Switch } from '../../shared/ui/fields/switch.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { mayChange } from './schedule-labels.ts';

/** Turns a schedule on and off; a word for those who may not. */
export function EnabledSwitch({ schedule }: { schedule: Schedule }) {
  const session = useSession();
  const { orgId } = session;
  const queryClient = useQueryClient();
  const toast = useToast();
  const changing = useMutation({
    mutationFn: (enabled: boolean) => changeSchedule(orgId, schedule.id, { enabled }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: schedulesKey(orgId) }),
    onError: (error) => toast(messageOf(error), 'bad'),
  });
  const on = changing.isPending ? changing.variables : schedule.enabled;
  if (!mayChange(session, schedule)) return <span className="text-ink-soft">{on ? 'On' : 'Off'}</span>;
  return <Switch label={`${schedule.name} is on`} checked={on} onChange={(enabled) => changing.mutate(enabled)} />;
}
