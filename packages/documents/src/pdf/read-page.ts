import { layOutPage } from '../layout/lay-out-page.ts';
import type { PageWord } from '../layout/page-word.ts';
import type { Box } from '../page/box.ts';
import type { Page } from '../page/page.ts';
import { buildWords } from './build-words.ts';
import { readFields, type FieldText } from './form-fields.ts';
import { judgeVisibility } from './hidden-characters.ts';
import { hideInvisibleWords } from './hide-invisible-words.ts';
import { readPageGeometry } from './page-geometry.ts';
import { readPageSurfaces } from './page-surfaces.ts';
import type { PdfFile } from './pdf-file.ts';
import { readCharacters, type PageCharacters } from './read-characters.ts';

/** Share of characters whose font maps them to no Unicode character. A page with more is read like a scan. */
const maxUnmappedShare = 0.3;

/** A page can be a scan if images cover this share of it, */
const minScanImageShare = 0.5;
/** and if it has fewer words: a stamp, a header or a page number over the scan. */
const minTextWords = 60;

/** The same letters can be covered and written again this often. */
const maxLayers = 4;
/** Usage and result of PDFium's `FPDFPage_Flatten`, which makes the drawings of annotations part of the page. */
const asDisplayed = 0;
const flattened = 1;

/** Reads one page of an open document. */
export function readPage({ pdfium, document, form }: PdfFile, index: number): Page {
  const { call } = pdfium;
  let page = call.FPDF_LoadPage(document, index);
  const page_num = index + 1;
  // One damaged page does not affect the others.
  if (page === 0) return unreadablePage(page_num);
  let textPage = 0;
  try {
    const geometry = readPageGeometry(pdfium, page);
    const fields = readFields(pdfium, page, form, geometry);
    const ownObjects = Math.max(0, call.FPDFPage_CountObjects(page));
    if (fields.isDrawn && call.FPDFPage_Flatten(page, asDisplayed) === flattened) {
      call.FPDF_ClosePage(page);
      page = call.FPDF_LoadPage(document, index);
      if (page === 0) return unreadablePage(page_num);
    }
    textPage = call.FPDFText_LoadPage(page);
    const surfaces = readPageSurfaces(pdfium, page, geometry);
    let characters = readCharacters(pdfium, textPage, geometry);
    let visibility = judgeVisibility(characters, surfaces, geometry);
    const hide = (): boolean =>
      visibility.doubtful.includes(1) && hideInvisibleWords(pdfium, page, geometry, characters, visibility);
    for (let repeats = 0; hide() && repeats < maxLayers; repeats += 1) {
      call.FPDFText_ClosePage(textPage);
      textPage = call.FPDFText_LoadPage(page);
      characters = readCharacters(pdfium, textPage, geometry);
      visibility = judgeVisibility(characters, surfaces, geometry);
    }
    const { hidden } = visibility;
    const drawn = drawnText(characters, hidden, surfaces.orderOfText, ownObjects);
    const undrawn = fields.fields.filter((field) => !drawn.some((place) => isWithin(place, field)));
    const words = [
      ...(characters.unmapped > characters.count * maxUnmappedShare ? [] : buildWords(characters, hidden)),
      ...undrawn.flatMap(fieldWords),
    ];
    let hiddenText = hidden.includes(1) ? hidden.filter((isHidden) => isHidden === 1).length : 0;
    for (const { text } of fields.hidden) hiddenText += text.replace(/\s/g, '').length;
    const needs_ocr =
      surfaces.objectCount > 0 &&
      (words.length === 0 || (surfaces.imageShare >= minScanImageShare && words.length < minTextWords));
    return {
      page_num,
      width: geometry.width,
      height: geometry.height,
      ...layOutPage(words, surfaces.rules),
      hidden_text: hiddenText,
      needs_ocr,
      ...(needs_ocr ? {} : { read_by: 'text' }),
    };
  } finally {
    if (textPage !== 0) call.FPDFText_ClosePage(textPage);
    if (page !== 0) call.FPDF_ClosePage(page);
  }
}

function unreadablePage(page_num: number): Page {
  return { page_num, width: 612, height: 792, text: '', words: [], hidden_text: 0, needs_ocr: true };
}

/** The middles of the visible characters that annotations draw. Those of the page itself are its first `ownObjects` objects. */
function drawnText(
  { count, style, styles, x0, y0, x1, y1 }: PageCharacters,
  hidden: Uint8Array,
  orderOfText: ReadonlyMap<number, number>,
  ownObjects: number,
): Point[] {
  const isDrawn = styles.map(({ object }) => (orderOfText.get(object) ?? 0) >= ownObjects);
  const places: Point[] = [];
  for (let index = 0; index < count; index += 1) {
    if (!isDrawn[style[index]!] || hidden[index] === 1) continue;
    places.push({ x: (x0[index]! + x1[index]!) / 2, y: (y0[index]! + y1[index]!) / 2 });
  }
  return places;
}

interface Point {
  x: number;
  y: number;
}

function isWithin({ x, y }: Point, { x0, y0, x1, y1 }: Box): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Points: a common font size of forms. */
const usualFontSize = 11;
/** In font sizes. */
const lineHeight = 1.2;
/** Average width of a character, in font sizes. */
const characterWidth = 0.5;
/** Points. */
const padding = 2;

/** Words of a field's value, placed within its box about as a viewer draws them. */
function fieldWords({ text, isMultiline, x0, y0, x1, y1 }: FieldText): PageWord[] {
  const width = Math.max(1, x1 - x0 - 2 * padding);
  const size = Math.min(usualFontSize, (y1 - y0) / lineHeight);
  const lines = text
    .split(/\r\n?|\n/)
    .flatMap((line) => (isMultiline ? wrap(line, Math.max(1, Math.floor(width / (size * characterWidth)))) : [line]));
  const height = Math.min(size * lineHeight, (y1 - y0) / lines.length);
  const top = isMultiline ? y0 : (y0 + y1 - height * lines.length) / 2;
  return lines.flatMap((line, index) => lineWords(line, x0 + padding, top + index * height, width, height, size));
}

function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function lineWords(line: string, left: number, top: number, width: number, height: number, size: number): PageWord[] {
  const step = Math.min(size * characterWidth, width / Math.max(1, line.length));
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    x0: left + index * step,
    y0: top,
    x1: left + (index + text.length) * step,
    y1: top + height,
    direction: 'right',
  }));
}
