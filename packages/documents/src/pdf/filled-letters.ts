import type { Pdfium } from './file/pdfium.ts';
import { minVisibleSize } from './hidden-characters.ts';
import { isSpace } from './letters/script.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { PageSurfaces } from './page-surfaces.ts';
import type { PageCharacters } from './read-characters.ts';
import { exactLetters, renderPage, type RenderedPage } from './render-page.ts';
import type { TextStyle } from './text-style.ts';

/** With more objects behind it, a text that is a clip stays hidden. */
const maxObjects = 5_000;
/** Difference of a channel, 0–255. */
const minDifference = 40;
/** Share of the letters' pixels that is painted, and share of what is painted that is in letters. */
const minPainted = 0.5;
const minWithin = 0.8;
const filled = 0;
const opaque = 255;

/**
 * Shows text that is the clip of what is painted after it, such as a gradient: its letters are seen where what is painted has their
 * shape. Programs also write the text of a scan in this way, where nothing is painted.
 */
export function showFilledLetters(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { count, style, styles, code, x0, y0, x1, y1 }: PageCharacters,
  { orderOfText, objectCount }: PageSurfaces,
  hidden: Uint8Array,
): void {
  const clips = styles.filter(canBeFilled);
  const first = clips.reduce((least, { object }) => Math.min(least, orderOfText.get(object) ?? objectCount), Infinity);
  if (first + 1 >= objectCount || objectCount - first > maxObjects) return;
  const { call } = pdfium;
  const render = (): RenderedPage => renderPage(pdfium, page, geometry, exactLetters);
  const displayed = render();
  const later = Array.from({ length: objectCount - first - 1 }, (_, at) =>
    call.FPDFPage_GetObject(page, first + 1 + at),
  );
  const switchLater = (isOn: boolean): void => {
    for (const object of later) call.FPDFPageObj_SetIsActive(object, isOn ? 1 : 0);
  };
  switchLater(false);
  const without = render();
  for (const { object } of clips) {
    call.FPDFTextObj_SetTextRenderMode(object, filled);
    call.FPDFPageObj_SetFillColor(object, 255, 0, 255, opaque);
  }
  const inColor = render();
  for (const { object, color } of clips) {
    call.FPDFPageObj_SetFillColor(object, ...color);
    call.FPDFTextObj_SetTextRenderMode(object, clipMode);
  }
  switchLater(true);
  let start = 0;
  while (start < count) {
    let end = start + 1;
    const own = styles[style[start]!];
    if (own && canBeFilled(own) && !isSpace(code[start]!)) {
      while (end < count && style[end] === style[start] && !isSpace(code[end]!)) end += 1;
      const box = [
        -edgeOf(x0, -1, start, end),
        -edgeOf(y0, -1, start, end),
        edgeOf(x1, 1, start, end),
        edgeOf(y1, 1, start, end),
      ] as const;
      if (isFilled(box, displayed, without, inColor)) hidden.fill(0, start, end);
    }
    start = end;
  }
}

const clipMode = 7;

/** Letters too small to be read stay hidden, though what is painted has their shape. */
const canBeFilled = ({ isClip, size }: TextStyle): boolean => isClip && size >= minVisibleSize;

/** The largest of some values, each with a sign. There can be more of them than a function takes arguments. */
function edgeOf(values: Float64Array | Float32Array, sign: 1 | -1, start: number, end: number): number {
  let edge = -Infinity;
  for (let at = start; at < end; at += 1) edge = Math.max(edge, sign * values[at]!);
  return edge;
}

function isFilled(
  [left, top, right, bottom]: readonly [number, number, number, number],
  displayed: RenderedPage,
  without: RenderedPage,
  inColor: RenderedPage,
): boolean {
  const { width, height, scale } = displayed;
  let [letters, painted, both] = [0, 0, 0];
  for (let row = Math.max(0, Math.floor(top * scale)); row < Math.min(height, Math.ceil(bottom * scale)); row += 1) {
    for (
      let column = Math.max(0, Math.floor(left * scale));
      column < Math.min(width, Math.ceil(right * scale));
      column += 1
    ) {
      const at = (row * width + column) * 4;
      const isLetter = differs(inColor.pixels, without.pixels, at);
      const isPainted = differs(displayed.pixels, without.pixels, at);
      if (isLetter) letters += 1;
      if (isPainted) painted += 1;
      if (isLetter && isPainted) both += 1;
    }
  }
  return letters > 0 && both >= letters * minPainted && both >= painted * minWithin;
}

function differs(pixels: Uint8Array, others: Uint8Array, at: number): boolean {
  const byChannel = (channel: number): number => Math.abs(pixels[at + channel]! - others[at + channel]!);
  return Math.max(byChannel(0), byChannel(1), byChannel(2)) >= minDifference;
}
