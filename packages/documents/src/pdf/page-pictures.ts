import { toGray, type GrayImage } from '../image/gray-image.ts';
import { findLetters } from '../image/letter-height.ts';
import type { Box } from '../page/box.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './file/pdfium.ts';
import { renderPage } from './render-page.ts';

/** Share of the page. A smaller picture is a logo or an icon. */
const minPictureShare = 0.01;
/** Points. Strips and tiles of one scan follow each other as closely. */
const maxTileGap = 1.5;
/** With more pictures, the page is searched as a whole. */
const maxTiles = 1_000;
/** A page with more pictures is read in part. */
export const maxPictures = 12;
/** Fewer marks with the shape of letters are a drawing or a photo. An amount without its point has three. */
const minLetters = 3;
/** A picture whose mean brightness (0–255) is lower has light letters, if any. */
const middleBrightness = 128;
/** Resolution for counting letters. */
const searchResolution = { scale: 2, maxPixels: 4_000_000 };
/** For letters of a headline, which are too large at the other one. */
const coarseResolution = { scale: 1, maxPixels: 4_000_000 };
const invisibleMode = 3;
const objectTypes = { text: 1, form: 5 };
const maxFormDepth = 8;

/** The pictures of a page that are large enough to have text, in reading order; tiles of one picture are one. */
export function largePictures(tiles: readonly Box[], { width, height }: PageGeometry): Box[] {
  return joinTiles(tiles, width, height)
    .filter(({ x0, y0, x1, y1 }) => (x1 - x0) * (y1 - y0) > width * height * minPictureShare)
    .sort((one, other) => one.y0 - other.y0 || one.x0 - other.x0);
}

function joinTiles(tiles: readonly Box[], width: number, height: number): Box[] {
  if (tiles.length > maxTiles) return [{ x0: 0, y0: 0, x1: width, y1: height }];
  const joined: Box[] = [];
  for (const tile of tiles) {
    let box = { ...tile };
    // A box that has grown can touch others, so those are joined as well.
    for (let at = joined.findIndex((other) => touches(box, other)); at >= 0;) {
      const [other] = joined.splice(at, 1);
      box = around(box, other!);
      at = joined.findIndex((next) => touches(box, next));
    }
    joined.push(box);
  }
  return joined;
}

function touches(one: Box, other: Box): boolean {
  return (
    one.x0 <= other.x1 + maxTileGap &&
    other.x0 <= one.x1 + maxTileGap &&
    one.y0 <= other.y1 + maxTileGap &&
    other.y0 <= one.y1 + maxTileGap
  );
}

function around(one: Box, other: Box): Box {
  return {
    x0: Math.min(one.x0, other.x0),
    y0: Math.min(one.y0, other.y0),
    x1: Math.max(one.x1, other.x1),
    y1: Math.max(one.y1, other.y1),
  };
}

/** The pictures in which something has the shape of letters. Call `hideText` before, so that only the pictures count. */
export function picturesWithLetters(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  pictures: readonly Box[],
): Box[] {
  return pictures.filter((picture) => countLetters(pdfium, page, geometry, picture, minLetters) >= minLetters);
}

/** Whether anything in a part of the page has the shape of a letter. */
export function hasLetters(pdfium: Pdfium, page: number, geometry: PageGeometry, part: Box): boolean {
  return countLetters(pdfium, page, geometry, part, 1) > 0;
}

/** The most marks with the shape of letters at one resolution. With `enough` at the first, the other is not looked at. */
function countLetters(pdfium: Pdfium, page: number, geometry: PageGeometry, part: Box, enough: number): number {
  const countAt = (resolution: typeof searchResolution): number =>
    findLetters(withDarkLetters(renderPart(pdfium, page, geometry, part, resolution).image)).length;
  const count = countAt(searchResolution);
  return count >= enough ? count : Math.max(count, countAt(coarseResolution));
}

/** The picture, inverted if its letters are light. */
export function withDarkLetters(image: GrayImage): GrayImage {
  const { pixels } = image;
  let sum = 0;
  for (const pixel of pixels) sum += pixel;
  return sum / pixels.length < middleBrightness ? { ...image, pixels: pixels.map((pixel) => 255 - pixel) } : image;
}

/** A part of a page as a picture. */
export function renderPart(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { x0, y0, x1, y1 }: Box,
  resolution: Parameters<typeof renderPage>[3],
): { image: GrayImage; scale: number } {
  const { width, height } = geometry;
  const part = { x0: x0 / width, y0: y0 / height, x1: x1 / width, y1: y1 / height };
  const { scale, ...rendered } = renderPage(pdfium, page, geometry, resolution, part);
  return { image: toGray(rendered), scale };
}

/** Makes the text of a loaded page invisible, so that its pictures can be read without it. */
export function hideText(pdfium: Pdfium, page: number): void {
  const { call } = pdfium;
  const visit = (object: number, depth: number): void => {
    const type = call.FPDFPageObj_GetType(object);
    if (type === objectTypes.text) call.FPDFTextObj_SetTextRenderMode(object, invisibleMode);
    if (type !== objectTypes.form || depth >= maxFormDepth) return;
    const count = call.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count; index += 1) visit(call.FPDFFormObj_GetObject(object, index), depth + 1);
  };
  const count = call.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index += 1) visit(call.FPDFPage_GetObject(page, index), 0);
}
