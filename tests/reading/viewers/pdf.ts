import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { drawPage } from '@docwright/documents';
import { decode } from 'jpeg-js';
import type { PlacedWord } from '../words.ts';

const run = promisify(execFile);
const maxOutput = 1 << 28;
const maxMilliseconds = 60_000;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A page as poppler reads it. */
export interface ShownPage {
  width: number;
  height: number;
  words: PlacedWord[];
}

/** The words that poppler reads in a PDF, page by page. */
export async function popplerPages(file: string): Promise<ShownPage[]> {
  const { stdout } = await run('pdftotext', ['-bbox', '-cropbox', file, '-'], {
    maxBuffer: maxOutput,
    timeout: maxMilliseconds,
  });
  return stdout
    .split('<page ')
    .slice(1)
    .map((page) => ({
      width: Number(/width="([^"]+)"/.exec(page)?.[1]),
      height: Number(/height="([^"]+)"/.exec(page)?.[1]),
      words: [
        ...page.matchAll(/<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<\/word>/g),
      ].map(([, x0, y0, x1, y1, text = '']) => ({
        text: text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? ''),
        place: { x0: Number(x0), y0: Number(y0), x1: Number(x1), y1: Number(y1) },
      })),
    }));
}

/** Difference of brightness, 0–255, that people see. */
const minContrast = 40;
/** Text of less contrast counts as hidden in the product. The drawn page is a JPEG, whose letters have borders a little lighter and darker. */
const minClearContrast = 60;
/** Pixels of the longer side of a drawn page. */
const longestSide = 1_800;
/** Share of a word's height above and below what its letters cover for sure: a bar that is drawn over them ends there. */
const outsideLetters = 0.25;
/** Points. */
const edgeTolerance = 0.5;

/** The words that have something at their place on the page as PDFium draws it. */
export async function seenWords(
  bytes: Uint8Array,
  pageNumber: number,
  page: ShownPage,
  words: readonly PlacedWord[],
): Promise<PlacedWord[]> {
  if (words.length === 0) return [];
  const picture = await drawPage({ bytes, mimeType: 'application/pdf', pageNumber, longestSide, maxBytes: 4_000_000 });
  const { data, width, height } = decode(picture.bytes, { useTArray: true, maxMemoryUsageInMB: 1_024 });
  const [across, down] = [width / page.width, height / page.height];
  return words.filter((word) => {
    if (!word.place) return true;
    const place = placeOfLetters(word.text, word.place);
    const [left, right] = [Math.max(0, Math.floor(place.x0 * across)), Math.min(width, Math.ceil(place.x1 * across))];
    const [top, bottom] = [Math.max(0, Math.floor(place.y0 * down)), Math.min(height, Math.ceil(place.y1 * down))];
    let [darkest, lightest] = [255, 0];
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const at = (y * width + x) * 4;
        const brightness = (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
        darkest = Math.min(darkest, brightness);
        lightest = Math.max(lightest, brightness);
      }
    }
    const contrast = lightest - darkest;
    if (contrast < minContrast) return false;
    if (contrast < minClearContrast) word.reason = 'faint';
    else if (isAtEdge(word.place, page)) word.reason = 'edge';
    return true;
  });
}

/** The part of a word's box that its letters cover. Marks can stand above and below it, and turned words have other heights. */
function placeOfLetters(text: string, place: NonNullable<PlacedWord['place']>): NonNullable<PlacedWord['place']> {
  const height = place.y1 - place.y0;
  const isTurned = text.length > 2 && height > place.x1 - place.x0;
  if (isTurned || !/[\p{L}\p{N}]/u.test(text)) return place;
  return { ...place, y0: place.y0 + height * outsideLetters, y1: place.y1 - height * outsideLetters };
}

function isAtEdge({ x0, y0, x1, y1 }: NonNullable<PlacedWord['place']>, { width, height }: ShownPage): boolean {
  return Math.min(x0, y0) < -edgeTolerance || x1 > width + edgeTolerance || y1 > height + edgeTolerance;
}
