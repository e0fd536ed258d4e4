import type { Schedule } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../api/api-error.ts';
import { changeSchedule, schedulesKey } from '../api/schedules-api.ts';
import { useSession } from '../identity/session.tsx';
import { Switch } from '../ui/switch.tsx';
import { useToast } from '../ui/toasts.tsx';
import { mayChange } from './schedule-words.ts';

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
