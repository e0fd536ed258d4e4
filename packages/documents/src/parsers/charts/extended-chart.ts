import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { shownAs } from '../shown-number.ts';
import { textIn } from '../vml.ts';

/** What a chart shows of its data. The numbers along an axis are not in the file. */
export interface Chart {
  /** Titles, and labels that were typed. */
  texts: string[];
  /** The names of the series, and of each category its name with the values that are written beside it. */
  rows: string[][];
}

/** A chart with more points is unreadable. */
const maxPoints = 10_000;

/**
 * Reads a chart of the kinds that Office has since 2016: waterfall, funnel, treemap, sunburst, box plot, histogram and map. Their part has
 * another form than that of other charts.
 */
export function readExtendedChart(root: XmlElement): Chart {
  const chart = firstChild(root, 'cx:chart');
  const area = firstChild(chart, 'cx:plotArea');
  const series = childElements(firstChild(area, 'cx:plotAreaRegion'), 'cx:series').filter(
    ({ attribs }) => !isTrue(attribs['hidden']),
  );
  const axes = childElements(area, 'cx:axis').filter(({ attribs }) => !isTrue(attribs['hidden']));
  const titles = [chart, ...axes].flatMap((owner) =>
    childElements(owner, 'cx:title').flatMap((title) => {
      const typed = textOf(title);
      return typed.length > 0 ? typed : [owner === chart ? 'Chart Title' : 'Axis Title'];
    }),
  );
  const data = new Map(
    childElements(firstChild(root, 'cx:chartData'), 'cx:data').map((each) => [each.attribs['id'], each]),
  );
  const labelsAxis = axes.some((axis) => firstChild(axis, 'cx:catScaling') && firstChild(axis, 'cx:tickLabels'));
  const hasLegend = firstChild(chart, 'cx:legend') !== undefined;
  const names: string[] = [];
  const columns: string[][] = [];
  let categories: string[] = [];
  for (const one of series) {
    const own = data.get(firstChild(one, 'cx:dataId')?.attribs['val']);
    const label = firstChild(firstChild(one, 'cx:dataLabels'), 'cx:visibility')?.attribs;
    const shows = (what: string): boolean => label !== undefined && isTrue(label[what]);
    if (hasLegend || shows('seriesName')) names.push(...textOf(firstChild(one, 'cx:tx')));
    const isNamedInside = /^(?:treemap|sunburst)$/u.test(one.attribs['layoutId'] ?? '');
    // The columns of a histogram are computed from the values.
    const isComputed = firstChild(firstChild(one, 'cx:layoutPr'), 'cx:binning') !== undefined;
    const named = pointsOf(childElements(own, 'cx:strDim'));
    const isShown = isNamedInside || shows('categoryName') || (labelsAxis && !isComputed);
    if (isShown && named.length > categories.length) categories = named;
    if (shows('value')) columns.push(pointsOf(childElements(own, 'cx:numDim').slice(0, 1)));
  }
  const count = Math.max(categories.length, ...columns.map((values) => values.length));
  const rows = Array.from({ length: count }, (_, at) => [
    categories[at] ?? '',
    ...columns.map((values) => values[at] ?? ''),
  ]);
  return { texts: [...new Set([...titles, ...names])], rows: rows.filter((row) => row.some(Boolean)) };
}

/** A text that was typed, or that of a cell. */
function textOf(owner: XmlElement | undefined): string[] {
  const typed = drawnParagraphs(owner);
  if (typed.length > 0) return typed;
  const [data] = childElements(owner).flatMap((each) => [each, ...childElements(each)]);
  const value = textIn(
    firstChild(data, 'cx:v') ?? firstChild(firstChild(data, 'cx:txData'), 'cx:v') ?? firstChild(data, 'cx:txData'),
  );
  return value.trim() === '' ? [] : [value.trim()];
}

/** Texts or numbers by their positions; names of several levels follow each other, the outermost first. */
function pointsOf(dimensions: readonly XmlElement[]): string[] {
  const found: string[] = [];
  for (const level of dimensions.flatMap((each) => childElements(each, 'cx:lvl'))) {
    const format = level.attribs['formatCode'] ?? 'General';
    const isNumber = level.parent !== null && 'name' in level.parent && level.parent.name === 'cx:numDim';
    for (const point of childElements(level, 'cx:pt')) {
      const at = Math.min(Number(point.attribs['idx'] ?? found.length) || 0, maxPoints);
      const text = textIn(point).trim();
      const shown = isNumber && text !== '' ? shownAs(Number(text), format, false) : text;
      found[at] = found[at] === undefined ? shown : `${shown} ${found[at]}`;
    }
  }
  return Array.from(found, (text) => text ?? '');
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
