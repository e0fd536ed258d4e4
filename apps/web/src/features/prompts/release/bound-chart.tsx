import type { ReleaseStatus } from '@docwright/contract';
import { percentOf } from './release-labels.ts';

interface BoundChartProps {
  curve: ReleaseStatus['curve'];
  threshold: number | null;
  maxWrong: number;
}

const [left, top, width, height] = [56, 12, 360, 140];

/** The bound over the share of documents that each threshold releases, and the limit that it must keep. */
export function BoundChart({ curve, threshold, maxWrong }: BoundChartProps) {
  // Bounds far above the limit say only that: they are cut, so that the limit stays in sight.
  const highest = Math.min(Math.max(maxWrong * 4, ...curve.map(({ bound }) => Math.min(bound, maxWrong * 10))), 1);
  const x = (share: number) => left + share * width;
  const y = (bound: number) => top + (1 - Math.min(bound, highest) / highest) * height;
  const chosen = threshold === null ? undefined : curve.findLast((point) => point.threshold <= threshold);
  const spoken =
    chosen === undefined
      ? 'no threshold keeps the limit'
      : `${percentOf(chosen.share)} of documents at a bound of ${percentOf(chosen.bound)}`;
  return (
    <svg
      role="img"
      aria-label={`The bound over the share of released documents: ${spoken}`}
      viewBox={`0 0 ${left + width + 12} ${top + height + 36}`}
      className="block h-auto w-full max-w-md text-xs tabular-nums"
    >
      <line
        x1={left}
        x2={left + width}
        y1={y(maxWrong)}
        y2={y(maxWrong)}
        className="stroke-bad"
        strokeDasharray="4 3"
      />
      <text x={left - 6} y={y(maxWrong) + 4} textAnchor="end" className="fill-ink-soft">
        {percentOf(maxWrong)}
      </text>
      <polyline
        points={curve.map(({ share, bound }) => `${x(share)},${y(bound)}`).join(' ')}
        className="fill-none stroke-accent stroke-2"
      />
      {chosen && <circle cx={x(chosen.share)} cy={y(chosen.bound)} r={4} className="fill-accent" />}
      {[0, 0.5, 1].map((share) => (
        <text key={share} x={x(share)} y={top + height + 18} textAnchor="middle" className="fill-ink-faint">
          {percentOf(share)}
        </text>
      ))}
      <text x={left + width / 2} y={top + height + 33} textAnchor="middle" className="fill-ink-soft">
        released without a look
      </text>
    </svg>
  );
}
