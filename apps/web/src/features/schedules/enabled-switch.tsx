import type { Schedule } from '@docwright/contract';
import { changeSchedule, schedulesKey } from '../../shared/api/schedules-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { canChange } from './schedule-labels.ts';
import { Switch as Primitive } from 'radix-ui';
import { useChange } from '../../shared/page/use-change.ts';

/** Turns a schedule on and off; text for users who cannot change it. */
export function EnabledSwitch({ schedule }: { schedule: Schedule }) {
  const session = useSession();
  const { orgId } = session;
  const changing = useChange((enabled: boolean) => changeSchedule(orgId, schedule.id, { enabled }), {
    refreshes: [schedulesKey(orgId)],
    showsError: true,
  });
  const on = changing.isPending ? changing.variables : schedule.enabled;
  if (!canChange(session, schedule)) return <span className="text-ink-soft">{on ? 'On' : 'Off'}</span>;
  return <Switch label={`${schedule.name} is on`} checked={on} onChange={(enabled) => changing.mutate(enabled)} />;
}

interface SwitchProps {
  /** The name of what is on or off. */
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that takes effect at once. */
function Switch({ label, checked, disabled = false, onChange }: SwitchProps) {
  return (
    <Primitive.Root
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong align-middle bg-sunken p-px transition-colors disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Primitive.Thumb className="size-3.5 translate-x-0.5 rounded-full bg-ink-soft transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
    </Primitive.Root>
  );
}
