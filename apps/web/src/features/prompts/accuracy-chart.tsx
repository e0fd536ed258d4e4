import { shareOf } from '../../shared/evaluation/evidence-labels.ts';
import { counted } from '../../shared/formats/counted.ts';

/** One point of the chart: a revision with verified results. */
interface ChartPoint {
  version: number;
  /** From 0 to 1. */
  accuracy: number;
  documents: number;
}

const step = 72;
const labelWidth = 52;
const top = 28;
const height = 150;

/** A chart of accuracy by version, with the accuracy above each point and the number of documents below. */
export function AccuracyChart({ points }: { points: ChartPoint[] }) {
  const floor = chartFloor(points.map(({ accuracy }) => accuracy));
  const width = labelWidth + step * Math.max(points.length, 3);
  const x = (index: number) => labelWidth + step * (index + 0.5);
  const y = (share: number) => top + ((1 - share) / (1 - floor)) * height;
  const lines = [1, 0.75, 0.5, 0.25, 0].map((part) => floor + (1 - floor) * part);
  const spoken = points.map(({ version, accuracy }) => `${version}: ${shareOf(accuracy)}`).join(', ');
  return (
    <svg
      role="img"
      aria-label={`Accuracy by version: ${spoken}`}
      width={width}
      height={top + height + 48}
      className="block max-w-none text-xs tabular-nums"
    >
      {lines.map((share) => (
        <g key={share}>
          <line x1={labelWidth} x2={width} y1={y(share)} y2={y(share)} className="stroke-line" />
          <text x={labelWidth - 8} y={y(share) + 4} textAnchor="end" className="fill-ink-faint">
            {shareOf(share)}
          </text>
        </g>
      ))}
      <polyline
        points={points.map(({ accuracy }, index) => `${x(index)},${y(accuracy)}`).join(' ')}
        className="fill-none stroke-accent stroke-2"
      />
      {points.map(({ version, accuracy, documents }, index) => (
        <g key={version} textAnchor="middle">
          <circle cx={x(index)} cy={y(accuracy)} r={3.5} className="fill-accent" />
          <text x={x(index)} y={y(accuracy) - 9} className="fill-ink font-medium">
            {shareOf(accuracy)}
          </text>
          <text x={x(index)} y={top + height + 20} className="fill-ink-soft">
            {`Version ${version}`}
          </text>
          <text x={x(index)} y={top + height + 36} className="fill-ink-faint">
            {counted(documents, 'document')}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The lowest value of the scale: a step of 20 % below the lowest share, so that small gains are visible. */
export function chartFloor(shares: number[]): number {
  const lowest = Math.min(1, ...shares);
  return Math.max(0, Math.ceil(lowest * 5 - 1e-9) - 1) / 5;
}
