import { textBlock, type Block } from '../../flow/block.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import { readExtendedChart, type Chart } from './extended-chart.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { shownAs } from '../shown-number.ts';

interface Series {
  name: string;
  categories: string[];
  /** Those that labels write. */
  labelled: string[];
  /** Empty where the chart writes no values. */
  values: string[];
}

/** How a chart writes what its series hold. */
interface SeriesLook {
  hasDataTable: boolean;
  isRound: boolean;
  is1904: boolean;
  /** The number format of the axis of categories, where it has its own. */
  categoryFormat: string | undefined;
}

/** Reads the part of a chart: its titles, and what is written of its data, as it was when the file was saved. */
export function readChart(root: XmlElement | undefined): Chart {
  if (root?.name === 'cx:chartSpace') return readExtendedChart(root);
  const chart = firstChild(root, 'c:chart');
  const plotArea = firstChild(chart, 'c:plotArea');
  const is1904 = isOn(firstChild(root, 'c:date1904'));
  const hasLegend = firstChild(chart, 'c:legend') !== undefined;
  const hasDataTable = firstChild(plotArea, 'c:dTable') !== undefined;
  const plots = childElements(plotArea).filter(({ name }) => name.endsWith('Chart'));
  const isRound = plots.some(({ name }) => /^c:(?:pie|pie3D|ofPie|doughnut)Chart$/u.test(name));
  const categoryAxis = childElements(plotArea).find(({ name }) => name === 'c:catAx' || name === 'c:dateAx');
  const categoryFormat = ownFormat(categoryAxis);
  const series = plots
    .flatMap((plot) => childElements(plot, 'c:ser').map((one) => ({ one, plot })))
    .map(({ one, plot }, index) => {
      const read = readSeries(one, plot, { hasDataTable, isRound, is1904, categoryFormat });
      // Office names a series that has no name by its number.
      return firstChild(one, 'c:tx') ? read : { ...read, name: `Series${index + 1}` };
    });
  // A round chart names its categories in the legend, other charts their series.
  const showsCategories =
    hasDataTable || (isRound ? hasLegend || series.some(({ labelled }) => labelled.length > 0) : showsAxis(plotArea));
  const showsNames = hasDataTable || (!isRound && hasLegend) || writes(plots, 'c:showSerName');
  // Office writes words of its own until somebody types a title.
  const usual = series.length === 1 ? series[0]!.name : 'Chart Title';
  const titles = [chart, ...childElements(plotArea)].flatMap((owner) =>
    childElements(owner, 'c:title').map((title) => {
      if (firstChild(title, 'c:tx') === undefined) return owner === chart ? usual : 'Axis Title';
      return cached(title).join(' ');
    }),
  );
  const texts = [...drawnParagraphs(root), ...titles].filter(Boolean);
  const shown =
    hasDataTable || !isRound || hasLegend ? series : series.map((one) => ({ ...one, categories: one.labelled }));
  return { texts, rows: rowsOf(shown, showsNames, showsCategories) };
}

/** A chart as blocks of a text. */
export function chartBlocks(root: XmlElement | undefined): Block[] {
  const { texts, rows } = readChart(root);
  const cells = rows.map((row) => row.map((text) => ({ blocks: text === '' ? [] : [textBlock(text)] })));
  return [
    ...texts.map((text) => textBlock(text)),
    ...(cells.length > 0 ? [{ kind: 'table' as const, rows: cells }] : []),
  ];
}

function rowsOf(series: readonly Series[], showsNames: boolean, showsCategories: boolean): string[][] {
  const names = showsNames ? series.map(({ name }) => name) : [];
  const longest = series.toSorted((one, other) => other.categories.length - one.categories.length)[0];
  const categories = showsCategories ? (longest?.categories ?? []) : [];
  const withValues = series.filter(({ values }) => values.length > 0);
  if (withValues.length === 0) return [names, categories.filter(Boolean)].filter((row) => row.some(Boolean));
  const count = Math.max(categories.length, ...withValues.map(({ values }) => values.length));
  const rows = Array.from({ length: count }, (_, at) => [
    categories[at] ?? '',
    ...withValues.map(({ values }) => values[at] ?? ''),
  ]);
  const written = rows.filter((row) => row.some(Boolean));
  return showsNames ? [['', ...withValues.map(({ name }) => name)], ...written] : written;
}

function readSeries(
  series: XmlElement,
  plot: XmlElement,
  { hasDataTable, isRound, is1904, categoryFormat }: SeriesLook,
): Series {
  const labels = firstChild(series, 'c:dLbls') ?? firstChild(plot, 'c:dLbls');
  const fromCells = elementsIn(firstChild(series, 'c:extLst'), 'c15:dlblRangeCache').flatMap((cache) =>
    pointsOf(cache),
  );
  const own = new Map(childElements(labels, 'c:dLbl').map((label) => [numberIn(firstChild(label, 'c:idx')), label]));
  const isWritten = (at: number, what: string): boolean => {
    const label = own.get(at) ?? labels;
    // A label that was typed stands for all that it would show otherwise.
    if (isOn(firstChild(label, 'c:delete')) || firstChild(label, 'c:tx') !== undefined) return false;
    return isOn(firstChild(label, what));
  };
  const data = firstChild(series, 'c:val') ?? firstChild(series, 'c:yVal');
  const numbers = cached(data, false, 'General').map(Number);
  const sum = numbers.reduce((total, number) => total + (Number.isNaN(number) ? 0 : Math.abs(number)), 0);
  const shareOf = (at: number): string | undefined =>
    isRound && sum > 0 ? shownAs(Math.abs(numbers[at] ?? 0) / sum, ownFormat(labels) ?? '0%', false) : undefined;
  const written = cached(data, is1904, ownFormat(labels)).map((value, at) => {
    const share = isWritten(at, 'c:showPercent') ? (shareOf(at) ?? '') : '';
    return [hasDataTable || isWritten(at, 'c:showVal') ? value : '', share].filter(Boolean).join(' ');
  });
  const name = cached(firstChild(series, 'c:tx'), is1904).join(' ');
  const named = firstChild(series, 'c:cat')
    ? cached(firstChild(series, 'c:cat'), is1904, categoryFormat)
    : numbered(firstChild(series, 'c:val') ? numbers.length : 0);
  const xValues = firstChild(series, 'c:xVal');
  const categories = xValues ? cached(xValues, is1904, categoryFormat) : named;
  const values = cached(data, is1904, ownFormat(labels));
  for (const [at, label] of own)
    fillFields(label, {
      CELLRANGE: fromCells[at],
      VALUE: values[at],
      YVALUE: values[at],
      CATEGORYNAME: categories[at],
      XVALUE: categories[at],
      SERIESNAME: name,
      PERCENTAGE: shareOf(at),
    });
  const labelled = named.map((category, at) => (isWritten(at, 'c:showCatName') ? category : ''));
  return {
    name,
    categories: named,
    labelled: labelled.some(Boolean) ? labelled : [],
    values: written.some(Boolean) ? written : [],
  };
}

/** Office numbers categories that have no names. An axis has no room for the numbers of many. */
function numbered(count: number): string[] {
  return count > maxNumbered ? [] : Array.from({ length: count }, (_, at) => String(at + 1));
}

/** Writes what the fields of a typed label stand for into them. */
function fillFields(label: XmlElement, texts: Readonly<Record<string, string | undefined>>): void {
  for (const field of elementsIn(label, 'a:fld')) {
    const text = texts[field.attribs['type'] ?? ''];
    for (const node of firstChild(field, 'a:t')?.children ?? []) if ('data' in node && text) node.data = text;
  }
}

function elementsIn(root: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = root === undefined ? [] : [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === name) found.push(element);
    else waiting.push(...childElements(element).reverse());
  }
  return found;
}

function pointsOf(cache: XmlElement): string[] {
  const found: string[] = [];
  for (const point of childElements(cache, 'c:pt'))
    found[Math.min(Number(point.attribs['idx'] ?? found.length), maxPoints)] = textIn(firstChild(point, 'c:v'));
  return Array.from(found, (text) => text ?? '');
}

/** The number format of labels or of an axis, where it is not that of the cells. */
function ownFormat(owner: XmlElement | undefined): string | undefined {
  const format = firstChild(owner, 'c:numFmt')?.attribs;
  return format !== undefined && /^(?:0|false)$/u.test(format['sourceLinked'] ?? '0')
    ? format['formatCode']
    : undefined;
}

function numberIn(element: XmlElement | undefined): number {
  return Number(element?.attribs['val']);
}

/**
 * The texts or numbers that a reference to cells had when the file was saved, or that are in the chart itself. `format` replaces that
 * of the cells.
 */
function cached(reference: XmlElement | undefined, is1904 = false, format?: string): string[] {
  const found: string[] = [];
  const waiting = reference === undefined ? [] : [reference];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (!/^c:(?:str|num)(?:Cache|Lit)$|^c:lvl$/u.test(element.name)) {
      waiting.push(
        ...childElements(element)
          .filter(({ name }) => name !== 'c:rich')
          .reverse(),
      );
      continue;
    }
    const isNumber = element.name.startsWith('c:num');
    const usual = textIn(firstChild(element, 'c:formatCode')) || 'General';
    for (const point of childElements(element, 'c:pt')) {
      const at = Math.min(Number(point.attribs['idx'] ?? found.length), maxPoints);
      const text = textIn(firstChild(point, 'c:v'));
      const shown =
        isNumber && text.trim() !== ''
          ? shownAs(Number(text), format ?? point.attribs['formatCode'] ?? usual, is1904)
          : text;
      found[at] = found[at] === undefined ? shown : `${shown} ${found[at]}`;
    }
  }
  return Array.from(found, (text) => text ?? '');
}

const maxNumbered = 30;

/** A chart with more points is unreadable. */
const maxPoints = 10_000;

function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((node) => ('data' in node ? node.data : '')).join('');
}

/** Whether the axis with the categories is drawn, with its labels. */
function showsAxis(plotArea: XmlElement | undefined): boolean {
  const axes = childElements(plotArea).filter(({ name }) => name === 'c:catAx' || name === 'c:dateAx');
  return axes.some(
    (axis) => !isOn(firstChild(axis, 'c:delete')) && firstChild(axis, 'c:tickLblPos')?.attribs['val'] !== 'none',
  );
}

/** Whether the labels of a plot, or of one of its series, write something. */
function writes(plots: readonly XmlElement[], what: string): boolean {
  return plots
    .flatMap((plot) => [plot, ...childElements(plot, 'c:ser')])
    .some((owner) => isOn(firstChild(firstChild(owner, 'c:dLbls'), what)));
}

/** An element without a value is on. */
function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && /^(?:1|true)$/u.test(element.attribs['val'] ?? '1');
}
