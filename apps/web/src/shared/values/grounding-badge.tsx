import type { Grounding } from '@docwright/contract';
import { classNames } from '../ui/class-names.ts';
import { groundingLabel, type GroundingLabel } from './grounding-labels.ts';

const looks: Record<GroundingLabel['band'], { dot: string; text: string }> = {
  sure: { dot: 'bg-good', text: 'text-ink-faint' },
  near: { dot: 'bg-warn', text: 'text-warn' },
  none: { dot: 'bg-bad', text: 'text-bad' },
};

/** A band for how well the value is grounded, never by colour alone. */
export function GroundingBadge({ grounding }: { grounding: Grounding | undefined }) {
  const words = groundingLabel(grounding);
  if (!words) return null;
  const { dot, text } = looks[words.band];
  return (
    <span
      title={words.long}
      className={classNames('inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap', text)}
    >
      <span aria-hidden className={classNames('size-1.5 rounded-full', dot)} />
      {words.short}
    </span>
  );
}
