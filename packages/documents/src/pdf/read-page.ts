import { layOutPage } from '../layout/lay-out-page.ts';
import type { PageWord } from '../layout/page-word.ts';
import type { Page } from '../page/page.ts';
import { buildWords } from './build-words.ts';
import { readFields, type FieldText } from './form-fields.ts';
import { judgeVisibility } from './hidden-characters.ts';
import { hideInvisibleWords } from './hide-invisible-words.ts';
import { readPageGeometry } from './page-geometry.ts';
import { readPageSurfaces } from './page-surfaces.ts';
import type { PdfFile } from './pdf-file.ts';
import { readCharacters } from './read-characters.ts';
import { renderPage } from './render-page.ts';

/** Share of characters whose font maps them to no Unicode character. A page with more is read like a scan. */
const maxUnmappedShare = 0.3;

/** A page can be a scan if images cover this share of it, */
const minScanImageShare = 0.5;
/** and if it has fewer words: a stamp, a header or a page number over the scan. */
const minTextWords = 60;

/** Reads one page of an open document. */
export function readPage({ pdfium, document, form }: PdfFile, index: number): Page {
  const { call } = pdfium;
  const page = call.FPDF_LoadPage(document, index);
  const page_num = index + 1;
  // One damaged page does not affect the others.
  if (page === 0) return { page_num, width: 612, height: 792, text: '', words: [], hidden_text: 0, needs_ocr: true };
  const textPage = call.FPDFText_LoadPage(page);
  try {
    const geometry = readPageGeometry(pdfium, page);
    const surfaces = readPageSurfaces(pdfium, page, geometry);
    const characters = readCharacters(pdfium, textPage, geometry);
    const { hidden, doubtful } = judgeVisibility(characters, surfaces, geometry);
    if (doubtful.includes(1)) hideInvisibleWords(characters, doubtful, hidden, renderPage(pdfium, page, geometry));
    const fields = readFields(pdfium, page, form, geometry);
    const words = [
      ...(characters.unmapped > characters.count * maxUnmappedShare ? [] : buildWords(characters, hidden)),
      ...fields.fields.flatMap(fieldWords),
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
    call.FPDFText_ClosePage(textPage);
    call.FPDF_ClosePage(page);
  }
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
