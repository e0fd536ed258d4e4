import type { Source } from '@docwright/contract';
import type { Tone } from '../../../shared/formats/run-labels.ts';

/** The state of a source that fills itself. */
export function syncState({ enabled, state = 'waiting' }: Partial<Pick<Source, 'enabled' | 'state'>>): {
  label: string;
  tone: Tone;
} {
  if (enabled === false) return { label: 'Off', tone: 'neutral' };
  if (state === 'running') return { label: 'Syncing', tone: 'busy' };
  if (state === 'failing') return { label: 'Failing, tried at growing pauses', tone: 'bad' };
  return { label: 'On', tone: 'good' };
}
