import type { Measurement } from './measured.ts';

/** A line of a figure. */
interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

interface Figure {
  title: string;
  /** How much work each place is. */
  works: readonly number[];
  /** What is below the horizontal axis, with a name for each place. */
  places: readonly string[];
  below: string;
  unit: string;
  lines: readonly Line[];
  /** When and where it was measured. */
  source: string;
}

const shownLists = [
  'documents',
  'documents: tag, needs_you',
  'documents: part of the name',
  'documents: needs_you',
  'proposals',
  'review: of a prompt',
  'a collection',
  'a document',
];

const width = 720;
const plot = { left: 70, top: 50, right: 500, bottom: 300 };
const height = 370;
const colors = ['#1d4ed8', '#b45309', '#047857', '#7e22ce', '#be123c', '#475569', '#0e7490', '#4d7c0f'];

/**
 * The curves of kept measurements, as SVG by the name of their file. Of several runs of the same kind the last counts.
 *
 * @param measurements in the order in which they were made
 */
export function curvesOf(measurements: readonly Measurement[]): Record<string, string> {
  const last = new Map(measurements.map((one) => [`${one.scenario} ${one.processes} ${one.size}`, one]));
  const kept = [...last.values()];
  const traffic = kept.filter(({ scenario }) => scenario === 'stories');
  const lists = kept.filter(({ scenario }) => scenario === 'lists').toSorted((a, b) => a.size - b.size);
  const byProcesses = traffic.toSorted((a, b) => parseInt(a.processes, 10) - parseInt(b.processes, 10));
  const figures: Record<string, string> = {};
  if (byProcesses.length > 0) {
    const common = {
      places: byProcesses.map(({ processes }) => processes),
      works: byProcesses.map(({ processes }) => parseInt(processes, 10)),
      below: 'API and worker processes',
      source: sourceOf(byProcesses),
    };
    const each = (name: string, value: (one: Measurement) => number): Line => ({
      name,
      points: byProcesses.map((one, at) => [at, value(one)]),
    });
    figures['throughput-by-processes.svg'] = draw({
      ...common,
      title: 'Stories a second: an upload, a chat and an approval',
      unit: 'a second',
      lines: [each('stories', ({ kinds, seconds }) => (kinds['approval']?.count ?? 0) / seconds)],
    });
    const kinds = [...new Set(byProcesses.flatMap((one) => Object.keys(one.kinds)))].filter((kind) =>
      ['upload', 'text', 'chat', 'approval', 'list of documents', 'search of a name'].includes(kind),
    );
    figures['latency-by-processes.svg'] = draw({
      ...common,
      title: '99th percentile of clients that send without a pause',
      unit: 'ms',
      lines: kinds.map((kind) => each(kind, (one) => one.kinds[kind]?.p99 ?? 0)),
    });
  }
  if (lists.length > 0) {
    figures['lists-by-documents.svg'] = draw({
      title: 'Processor time of a request, server and database',
      places: lists.map(({ size }) => size.toLocaleString('en')),
      works: lists.map(({ size }) => size),
      below: 'documents of one organization, one process',
      unit: 'ms',
      source: sourceOf(lists),
      lines: shownLists.map((name) => ({
        name,
        points: lists.map((one, at) => [at, one.kinds[name]?.processor ?? 0]),
      })),
    });
  }
  return figures;
}

function sourceOf(measurements: readonly Measurement[]): string {
  const loads = measurements.map(({ load }) => load);
  const days = [...new Set(measurements.map(({ date }) => date.slice(0, 10)))].join(', ');
  const [{ machine }] = measurements as [Measurement];
  return `${days}; ${machine}; load of the machine before each run ${Math.min(...loads)} to ${Math.max(...loads)}`;
}

function draw({ title, places, works, below, unit, lines, source }: Figure): string {
  const top = niceTop(Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y))));
  const x = (at: number) =>
    Math.round(plot.left + ((plot.right - plot.left) * (at + 0.5)) / Math.max(1, places.length));
  const y = (value: number) => Math.round(plot.bottom - ((plot.bottom - plot.top) * value) / top);
  const text = (at: readonly [number, number], words: string, more = '') =>
    `<text x="${at[0]}" y="${at[1]}"${more}>${escape(words)}</text>`;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const value = top * share;
    return [
      `<line x1="${plot.left}" y1="${y(value)}" x2="${plot.right}" y2="${y(value)}" stroke="#cbd5e1"/>`,
      text([plot.left - 8, y(value) + 4], value.toLocaleString('en'), ' text-anchor="end"'),
    ];
  });
  const drawn = lines.flatMap(({ name, points }, at) => {
    const color = colors[at % colors.length]!;
    const path = points.map(([place, value]) => `${x(place)},${y(value)}`).join(' ');
    const legend = plot.top + 10 + at * 20;
    return [
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...points.map(([place, value]) => `<circle cx="${x(place)}" cy="${y(value)}" r="3.5" fill="${color}"/>`),
      `<line x1="${plot.right + 16}" y1="${legend}" x2="${plot.right + 36}" y2="${legend}" stroke="${color}" stroke-width="3"/>`,
      text([plot.right + 42, legend + 4], `${name}${growthOf(points, works)}`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '<g fill="#0f172a">',
    text([plot.left, 24], `${title} (${unit})`, ' font-size="15"'),
    ...grid,
    ...places.map((place, at) => text([x(at), plot.bottom + 20], place, ' text-anchor="middle"')),
    text(
      [(plot.left + plot.right) / 2, plot.bottom + 40],
      `${below}; × is the growth when they double`,
      ' text-anchor="middle"',
    ),
    text([plot.left, height - 8], source, ' font-size="10" fill="#475569"'),
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** What a line is multiplied by when the work doubles: the slope of the line through the logarithms with the smallest squares. */
function growthOf(points: Line['points'], works: readonly number[]): string {
  const logs = points.flatMap(([place, value]) =>
    value > 0 ? [[Math.log2(works[place]!), Math.log2(value)] as const] : [],
  );
  const mean = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const squares = logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  if (logs.length < 2 || squares === 0) return '';
  const slope = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / squares;
  return `, ×${(2 ** slope).toFixed(2)}`;
}

/** The next of 1, 2, 4, 6, 8, 10, 20 … */
function niceTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1e-9)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((step) => step >= most) ?? unit * 10;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
