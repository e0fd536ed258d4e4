import { textBlock, type Block } from '../../flow/block.ts';
import { mathText } from '../html/math-text.ts';
import { raisedNumber } from '../raised-digits.ts';
import type { SlidePlace } from '../slides/reading-order.ts';
import { childElements, firstChild, type OfficeArchive, type XmlElement } from '../office-archive.ts';

export const maxNesting = 150;
/** A chart with more rows is unreadable. */
const maxRows = 1_000;

/** What a formula or a chart inside of a document shows; undefined for another object. */
export function objectBlocks(frame: XmlElement, archive: OfficeArchive): Block[] | undefined {
  const path = firstChild(frame, 'draw:object')?.attribs['xlink:href']?.replace(/^\.\//, '').replace(/\/$/, '');
  const root = path === undefined ? undefined : archive.xml(`${path}/content.xml`);
  if (root === undefined) return undefined;
  if (/^(?:math:)?math$/.test(root.name)) return [textBlock(mathText(root).replaceAll(/\s+/g, ' ').trim())];
  const chart = firstChild(firstChild(firstChild(root, 'office:body'), 'office:chart'), 'chart:chart');
  return chart && chartBlocks(chart);
}

/** Titles, the names of series where there is a legend, and the names along the axis. */
function chartBlocks(chart: XmlElement): Block[] {
  const area = firstChild(chart, 'chart:plot-area');
  const titles = [chart, ...childElements(area, 'chart:axis')]
    .flatMap((owner) => ['chart:title', 'chart:subtitle', 'chart:footer'].map((name) => firstChild(owner, name)))
    .map((title) => plainText(title, 0).trim())
    .filter(Boolean);
  const table = firstChild(chart, 'table:table');
  const rowsOf = (group: string): string[][] =>
    childElements(firstChild(table, group), 'table:table-row')
      .slice(0, maxRows)
      .map((row) => childElements(row, 'table:table-cell').map((cell) => plainText(cell, 0).trim()));
  const [names = []] = rowsOf('table:table-header-rows');
  const categories = rowsOf('table:table-rows').map(([first = '']) => first);
  const rows = [firstChild(chart, 'chart:legend') ? names.slice(1) : [], categories]
    .map((row) => row.filter(Boolean))
    .filter((row) => row.length > 0);
  const cells = rows.map((row) => row.map((text) => ({ blocks: [textBlock(text)] })));
  return [
    ...titles.map((text) => textBlock(text)),
    ...(cells.length > 0 ? [{ kind: 'table' as const, rows: cells }] : []),
  ];
}

/** Rows or columns of a table, also those in groups, but not those of tables inside. */
export function descendants(parent: XmlElement, name: string, depth = 0): XmlElement[] {
  if (depth > 20) return [];
  return childElements(parent).flatMap((element) => {
    if (element.name === name) return [element];
    return /^table:table-(?:header-rows|rows|row-group|columns|column-group|header-columns)$/.test(element.name)
      ? descendants(element, name, depth + 1)
      : [];
  });
}

export function plainText(element: XmlElement | undefined, depth: number): string {
  if (element === undefined || depth > maxNesting) return '';
  return element.children
    .map((node) => ('attribs' in node ? plainText(node, depth + 1) : 'data' in node ? node.data : ''))
    .join('');
}

/** The mark of a note in raised signs, so that it does not become a digit of an amount. */
export function raised(mark: string): string {
  return /^\d+$/.test(mark) ? raisedNumber(mark) : `[${mark}]`;
}

/** Points of the units of lengths. */
const units: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, px: 0.75, pc: 12 };
const maxGroups = 20;

/** Where a shape stands on its slide, in points; a group is where its shapes are. One without a place counts as at the top. */
export function placeOfShape(shape: XmlElement, depth = 0): SlidePlace {
  if (shape.name === 'draw:g' && depth < maxGroups) return around(childElements(shape), depth + 1);
  const length = (name: string): number => pointsOf(shape.attribs[name]);
  const [, across, down] =
    /translate\s*\(\s*([\d.a-z-]+)[\s,]+([\d.a-z-]+)/u.exec(shape.attribs['draw:transform'] ?? '') ?? [];
  return {
    left: (length('svg:x') || length('svg:x1')) + pointsOf(across),
    top: (length('svg:y') || length('svg:y1')) + pointsOf(down),
    width: length('svg:width'),
    height: length('svg:height'),
  };
}

function around(shapes: readonly XmlElement[], depth: number): SlidePlace {
  const places = shapes.filter(({ name }) => name.startsWith('draw:')).map((shape) => placeOfShape(shape, depth));
  const [first] = places;
  if (first === undefined) return { left: 0, top: 0, width: 0, height: 0 };
  const left = Math.min(...places.map((place) => place.left));
  const top = Math.min(...places.map((place) => place.top));
  const right = Math.max(...places.map((place) => place.left + place.width));
  const bottom = Math.max(...places.map((place) => place.top + place.height));
  return { left, top, width: right - left, height: bottom - top };
}

function pointsOf(length: string | undefined): number {
  const [, digits, unit = 'pt'] = /^(-?[\d.]+)([a-z]+)?$/u.exec(length ?? '') ?? [];
  return Number(digits ?? 0) * (units[unit] ?? 1);
}
