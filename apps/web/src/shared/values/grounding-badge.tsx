import type { Grounding } from '@docwright/contract';
import { classNames } from '../ui/class-names.ts';
import { groundingLabel, type GroundingLabel } from './grounding-labels.ts';

const looks: Record<GroundingLabel['band'], { dot: string; text: string }> = {
  sure: { dot: 'bg-good', text: 'text-ink-faint' },
  near: { dot: 'bg-warn', text: 'text-warn' },
  none: { dot: 'bg-bad', text: 'text-bad' },
};

/** Shows how well a value is grounded, by colour and text. */
export function GroundingBadge({ grounding }: { grounding: Grounding | undefined }) {
  const label = groundingLabel(grounding);
  if (!label) return null;
  const { dot, text } = looks[label.band];
  return (
    <span
      title={label.long}
      className={classNames('inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap', text)}
    >
      <span aria-hidden className={classNames('size-1.5 rounded-full', dot)} />
      {label.short}
    </span>
  );
}
