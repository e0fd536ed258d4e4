import type { Box } from '../page/box.ts';
import type { Visibility } from './hidden-characters.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './file/pdfium.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import { exactLetters, renderPage, type RenderedPage } from './render-page.ts';
import { isSpace } from './letters/script.ts';

/** Difference of a channel, 0–255. */
const minVisibleDifference = 40;
/** Share of a word's box that its letters cover. */
const minInkShare = 0.02;
/** A full stop or a dash on its own covers less of its box. */
const minMarkShare = 0.005;
const marks = /^[\p{P}\p{S}]$/u;
/** Smoothed, and fine enough for a full stop of a small font, of which no pixel is drawn without smoothing. */
const smallMarks = { scale: 4, maxPixels: 4_000_000 };
const invisibleMode = 3;
const opaque = 255;
/** Points. */
const farAway = 1e5;

/** The page in three states, to find the pixels of each text object. */
interface Renderings {
  /** As displayed. */
  displayed: RenderedPage;
  /** Each doubtful text object in a colour of its own. */
  marked: RenderedPage;
  /** Without the doubtful text objects. */
  without: RenderedPage;
  /** Top left corner of the rendered part, in points. */
  left: number;
  top: number;
}

/**
 * Hides the doubtful words whose letters are invisible: white on white, under a shape, a picture, an annotation or
 * later letters, cut off, on a layer that is switched off. The pixels of a word's own letters decide, so any way of
 * covering counts.
 *
 * Returns whether invisible text objects were moved off the page. PDFium drops a letter that is the same as an earlier
 * one at its place, so the text page must then be loaded again: the letters over the hidden ones can be among the
 * dropped ones.
 */
export function hideInvisibleWords(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  characters: PageCharacters,
  { doubtful, sharesPlace, hidden }: Visibility,
): boolean {
  const { count, style, styles, code } = characters;
  const renderings = renderDoubtful(pdfium, page, geometry, characters, doubtful);
  if (!renderings) return false;
  const seen = new Set<number>();
  const unseen = new Set<number>();
  const colors = new Set(markedStyles(doubtful).map(markOf));
  const judge = (word: Range, styleIndex: number, isSeen: boolean): void => {
    if (!isSeen) hidden.fill(1, word.start, word.end);
    (isSeen ? seen : unseen).add(styleIndex);
  };
  const small: Range[] = [];
  let start = 0;
  while (start < count) {
    const styleIndex = style[start]!;
    let end = start + 1;
    if (styleIndex !== noStyle && doubtful[styleIndex] === 1 && !isSpace(code[start]!)) {
      while (end < count && style[end] === styleIndex && !isSpace(code[end]!)) end += 1;
      const isMark = hasOnlyMarks(code, start, end);
      const share = isMark ? minMarkShare : minInkShare;
      const isSeen = isVisible(boxOf(characters, start, end), share, markOf(styleIndex), colors, renderings);
      if (isMark && !isSeen) small.push({ start, end });
      else judge({ start, end }, styleIndex, isSeen);
    }
    start = end;
  }
  const drawn = drawnMarks(pdfium, page, geometry, characters, small);
  for (const word of small) judge(word, style[word.start]!, drawn.has(word));
  const moved = [...unseen].filter((index) => !seen.has(index) && sharesPlace[index] === 1);
  for (const index of moved) pdfium.call.FPDFPageObj_Transform(styles[index]!.object, 1, 0, 0, 1, farAway, 0);
  return moved.length > 0;
}

/** Letters of East Asia begin here: of fonts that are not in a file, PDFium draws none of them. */
const firstEastAsian = 0x2e80;

/** The places of hidden text of which the pixels say nothing, because its font is not in the file and nothing stands in for it. */
export function undrawnText(
  { call }: Pdfium,
  { count, code, style, styles, boxes }: PageCharacters,
  { doubtful, hidden }: Visibility,
): Box[] {
  const found = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const styleIndex = style[index]!;
    if (hidden[index] !== 1 || code[index]! < firstEastAsian || doubtful[styleIndex] !== 1) continue;
    if (!found.has(styleIndex) && call.FPDFFont_GetIsEmbedded(styles[styleIndex]!.font) === 0) found.add(styleIndex);
  }
  return [...found].map((index) => boxes[index]!);
}

function markedStyles(doubtful: Uint8Array): number[] {
  return [...doubtful.keys()].filter((index) => doubtful[index] === 1);
}

/** The colour of a text object in the marked rendering, as blue, green, red from the low byte. An odd factor makes each unique. */
function markOf(styleIndex: number): number {
  return Math.imul(styleIndex + 1, 0x9e3779b1) & 0xffffff;
}

function renderDoubtful(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { styles, boxes }: PageCharacters,
  doubtful: Uint8Array,
): Renderings | undefined {
  const { call } = pdfium;
  const { width, height } = geometry;
  const marked = markedStyles(doubtful);
  const around = boxAround(
    marked.map((index) => boxes[index]!),
    geometry,
  );
  if (!around) return undefined;
  const part = { x0: around.x0 / width, y0: around.y0 / height, x1: around.x1 / width, y1: around.y1 / height };
  const render = (): RenderedPage => renderPage(pdfium, page, geometry, exactLetters, part);
  const displayed = render();
  for (const index of marked) {
    const mark = markOf(index);
    const [red, green, blue] = [mark >>> 16, (mark >>> 8) & 0xff, mark & 0xff];
    call.FPDFPageObj_SetFillColor(styles[index]!.object, red, green, blue, opaque);
    call.FPDFPageObj_SetStrokeColor(styles[index]!.object, red, green, blue, opaque);
  }
  const inMarks = render();
  const without = withoutObjects(
    pdfium,
    marked.map((index) => styles[index]!.object),
    render,
  );
  for (const index of marked) {
    const { object, color, paint } = styles[index]!;
    if (paint === 'stroke') call.FPDFPageObj_SetStrokeColor(object, ...color);
    else call.FPDFPageObj_SetFillColor(object, ...color);
  }
  return { displayed, marked: inMarks, without, ...cornerOf(around, displayed) };
}

/** What `render` returns while some text objects are invisible. */
function withoutObjects<Result>({ call }: Pdfium, objects: readonly number[], render: () => Result): Result {
  const modes = objects.map((object) => call.FPDFTextObj_GetTextRenderMode(object));
  for (const object of objects) call.FPDFTextObj_SetTextRenderMode(object, invisibleMode);
  const result = render();
  for (const [index, object] of objects.entries()) call.FPDFTextObj_SetTextRenderMode(object, modes[index]!);
  return result;
}

/** The part of the page around some boxes, in whole points; undefined if nothing of it is on the page. */
function boxAround(boxes: readonly Box[], { width, height }: PageGeometry): Box | undefined {
  const around: Box = { x0: width, y0: height, x1: 0, y1: 0 };
  for (const box of boxes) {
    around.x0 = Math.max(0, Math.min(around.x0, Math.floor(box.x0)));
    around.y0 = Math.max(0, Math.min(around.y0, Math.floor(box.y0)));
    around.x1 = Math.min(width, Math.max(around.x1, Math.ceil(box.x1)));
    around.y1 = Math.min(height, Math.max(around.y1, Math.ceil(box.y1)));
  }
  return around.x1 <= around.x0 || around.y1 <= around.y0 ? undefined : around;
}

/** The top left corner of a rendered part, in points. */
function cornerOf(around: Box, { scale }: RenderedPage): { left: number; top: number } {
  return { left: Math.floor(around.x0 * scale) / scale, top: Math.floor(around.y0 * scale) / scale };
}

/** The characters of a word; `end` is behind the last one. */
interface Range {
  start: number;
  end: number;
}

/** The words of marks alone without which the page is drawn otherwise at their place. */
function drawnMarks(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  characters: PageCharacters,
  words: readonly Range[],
): Set<Range> {
  const boxes = words.map(({ start, end }) => boxOf(characters, start, end));
  const around = boxAround(boxes, geometry);
  if (!around) return new Set();
  const { width, height } = geometry;
  const part = { x0: around.x0 / width, y0: around.y0 / height, x1: around.x1 / width, y1: around.y1 / height };
  const objects = new Set(words.map(({ start }) => characters.styles[characters.style[start]!]!.object));
  const render = (): RenderedPage => renderPage(pdfium, page, geometry, smallMarks, part);
  const displayed = render();
  const without = withoutObjects(pdfium, [...objects], render);
  const corner = cornerOf(around, displayed);
  return new Set(
    words.filter((_, index) => {
      const { x0, y0, x1, y1 } = pixelsOf(boxes[index]!, displayed, corner);
      for (let row = y0; row <= y1; row += 1) {
        for (let column = x0; column <= x1; column += 1) {
          const at = (row * displayed.width + column) * 4;
          if (differenceAt(displayed.pixels, without.pixels, at) >= minVisibleDifference) return true;
        }
      }
      return false;
    }),
  );
}

/** The pixels of a box, the last ones included. */
function pixelsOf(box: Box, { width, height, scale }: RenderedPage, corner: { left: number; top: number }): Box {
  return {
    x0: Math.max(0, Math.floor((box.x0 - corner.left) * scale)),
    y0: Math.max(0, Math.floor((box.y0 - corner.top) * scale)),
    x1: Math.min(width - 1, Math.ceil((box.x1 - corner.left) * scale)),
    y1: Math.min(height - 1, Math.ceil((box.y1 - corner.top) * scale)),
  };
}

function boxOf({ x0, y0, x1, y1 }: PageCharacters, start: number, end: number): Box {
  const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let index = start; index < end; index += 1) {
    box.x0 = Math.min(box.x0, x0[index]!);
    box.y0 = Math.min(box.y0, y0[index]!);
    box.x1 = Math.max(box.x1, x1[index]!);
    box.y1 = Math.max(box.y1, y1[index]!);
  }
  return box;
}

function hasOnlyMarks(code: Uint32Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (code[index]! > 0xffff || !marks.test(String.fromCodePoint(code[index]!))) return false;
  }
  return true;
}

/**
 * Whether enough pixels of the word's own letters differ from the page without them. Letters that do not take the mark, as of fonts
 * with colours of their own or under a marker that is blended, count by that difference alone, save for pixels with the mark of other text.
 */
function isVisible(
  box: Box,
  minShare: number,
  mark: number,
  others: ReadonlySet<number>,
  renderings: Renderings,
): boolean {
  const { displayed, marked, without } = renderings;
  const { x0, y0, x1, y1 } = pixelsOf(box, displayed, renderings);
  let [seen, total] = [0, 0];
  for (let row = y0; row <= y1; row += 1) {
    for (let column = x0; column <= x1; column += 1) {
      const at = (row * displayed.width + column) * 4;
      total += 1;
      if (differenceAt(displayed.pixels, without.pixels, at) < minVisibleDifference) continue;
      const found = marked.pixels[at]! | (marked.pixels[at + 1]! << 8) | (marked.pixels[at + 2]! << 16);
      if (found === mark || !others.has(found)) seen += 1;
    }
  }
  return seen > total * minShare;
}

function differenceAt(pixels: Uint8Array, others: Uint8Array, at: number): number {
  return Math.max(
    Math.abs(pixels[at]! - others[at]!),
    Math.abs(pixels[at + 1]! - others[at + 1]!),
    Math.abs(pixels[at + 2]! - others[at + 2]!),
  );
}
