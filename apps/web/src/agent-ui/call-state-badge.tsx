import { Ban, CircleAlert, CircleCheck, CircleDashed, Hand, History, ShieldX, type LucideIcon } from 'lucide-react';
import { createElement } from 'react';
import { classNames } from '../shared/ui/class-names.ts';
import { Spinner } from '../shared/ui/spinner.tsx';
import { callStateLabel } from './call-labels.ts';
import type { CallState } from './chat-state.ts';

const looks: Record<Exclude<CallState, 'running'>, { icon: LucideIcon; look: string }> = {
  proposed: { icon: CircleDashed, look: 'text-ink-faint' },
  waiting: { icon: Hand, look: 'text-warn' },
  done: { icon: CircleCheck, look: 'text-good' },
  failed: { icon: CircleAlert, look: 'text-bad' },
  rejected: { icon: Ban, look: 'text-ink-soft' },
  denied: { icon: ShieldX, look: 'text-bad' },
  stale: { icon: History, look: 'text-warn' },
};

export function CallStateIcon({ state }: { state: CallState }) {
  if (state === 'running') return <Spinner className="shrink-0 text-accent" />;
  const { icon, look } = looks[state];
  return createElement(icon, { 'aria-hidden': true, className: classNames('size-4 shrink-0', look) });
}

export function CallStateLabel({ state }: { state: CallState }) {
  const look = state === 'running' ? 'text-accent' : looks[state].look;
  return <span className={classNames('shrink-0 text-xs', look)}>{callStateLabel(state)}</span>;
}
