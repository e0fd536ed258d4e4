import { firstChild, type XmlElement } from '../office-archive.ts';
import { valueOf } from './numbering.ts';

/** What the properties of a paragraph or a style say about its place. In twentieths of a point; undefined: inherited. */
export interface ParagraphPlace {
  start?: number;
  /** Of the first line, further to the right than the others. */
  first?: number;
  /** It ends at a place instead of beginning at one. */
  isAtEnd?: boolean;
  /** Its lines, or its frame, have a height that cuts off every letter. */
  isCut?: boolean;
}

/** A line or a frame of this height shows no letter. */
const flat = 20;
/** The margin of a page is narrower. */
const widestMargin = 5_000;
/** Of the height of a letter: the width of a wide one. */
const widthOfLetter = 20 * 11 * 0.8;

export function placeOfParagraph(properties: XmlElement | undefined): ParagraphPlace {
  const place: ParagraphPlace = {};
  if (properties === undefined) return place;
  const spacing = firstChild(properties, 'w:spacing')?.attribs;
  const frame = firstChild(properties, 'w:framePr')?.attribs;
  if (spacing?.['w:line'] !== undefined)
    place.isCut = spacing['w:lineRule'] === 'exact' && Number(spacing['w:line']) <= flat;
  if (frame?.['w:hRule'] === 'exact' && Number(frame['w:h']) <= flat) place.isCut = true;
  const indents = firstChild(properties, 'w:ind')?.attribs;
  const start = indents?.['w:start'] ?? indents?.['w:left'];
  if (start !== undefined) place.start = Number(start);
  const hanging = indents?.['w:hanging'];
  if (hanging !== undefined) place.first = -Number(hanging);
  else if (indents?.['w:firstLine'] !== undefined) place.first = Number(indents['w:firstLine']);
  const side = valueOf(firstChild(properties, 'w:jc'));
  if (side !== undefined) place.isAtEnd = /^(?:right|end|center)$/.test(side);
  return place;
}

/** Whether a paragraph with this many letters ends left of the page, or its lines are cut off. */
export function isUnseen(
  { start = 0, first = 0, isAtEnd = false, isCut = false }: ParagraphPlace,
  letters: number,
): boolean {
  return isCut || (!isAtEnd && start + first + widestMargin + letters * widthOfLetter < 0);
}

/** Whether a table of these columns stands left of the page, by its properties. */
export function isTableBesidePage(table: XmlElement): boolean {
  if (table.name !== 'w:tbl') return false;
  const indent = Number(firstChild(firstChild(table, 'w:tblPr'), 'w:tblInd')?.attribs['w:w'] ?? 0);
  if (!(indent < -widestMargin)) return false;
  const columns = firstChild(table, 'w:tblGrid')?.children ?? [];
  const width = columns.reduce(
    (sum, column) => sum + ('attribs' in column ? Number(column.attribs['w:w'] ?? 0) : 0),
    0,
  );
  return indent + width + widestMargin < 0;
}

/** Whether a row has a height that shows no letter: what does not fit into an exact height is cut off. In twentieths of a point. */
export function isTooLow(height: XmlElement['attribs'] | undefined): boolean {
  return height?.['w:hRule'] === 'exact' && Number(height['w:val']) <= 40;
}

/** Whether the margin of a cell leaves no room in a row of an exact height. */
export function isBelowRow(cell: XmlElement | undefined, height: XmlElement['attribs'] | undefined): boolean {
  const margin = Number(firstChild(firstChild(cell, 'w:tcMar'), 'w:top')?.attribs['w:w'] ?? 0);
  return height?.['w:hRule'] === 'exact' && margin > 0 && margin >= Number(height['w:val']);
}
