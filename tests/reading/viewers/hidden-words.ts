import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { foldWord, touches, type Place, type PlacedWord } from '../words.ts';
import type { ColoredWord } from './second-reader.ts';

const run = promisify(execFile);
const maxOutput = 1 << 28;
const maxMilliseconds = 60_000;
const pixelsPerInch = 144;
/** Pixels for one point. */
const scale = pixelsPerInch / 72;
/** Difference of brightness, 0–255, that nobody sees. */
const maxUnseen = 40;

/** A picture with three bytes for each pixel: red, green, blue. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A page as MuPDF draws it, and the same page without its text. */
export interface DrawnTwice {
  whole: Picture;
  withoutText: Picture;
}

/** Draws a page of a PDF with and without its text. Undefined if MuPDF is not installed, or does not draw the page. */
export async function drawTwice(file: string, pageNumber: number): Promise<DrawnTwice | undefined> {
  const draw = async (...more: string[]): Promise<Picture> => {
    const args = ['draw', '-q', ...more, '-F', 'ppm', '-r', String(pixelsPerInch), '-o', '-', file, String(pageNumber)];
    const { stdout } = await run('mutool', args, {
      maxBuffer: maxOutput,
      timeout: maxMilliseconds,
      encoding: 'buffer',
    });
    return pictureOf(stdout);
  };
  try {
    return { whole: await draw(), withoutText: await draw('-K') };
  } catch {
    return undefined;
  }
}

/** Reads a picture in the format PPM. Throws if it is none. */
function pictureOf(bytes: Uint8Array): Picture {
  const head = /^P6\s+(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+255\s/u.exec(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  );
  if (!head) throw new Error('MuPDF wrote no picture.');
  return { width: Number(head[1]), height: Number(head[2]), data: bytes.subarray(head[0].length) };
}

/**
 * Whether a word is in the colour of what is behind it, so that the page looks the same without it. Of a text layer that is not painted
 * the page looks the same too, but its colour says nothing: it can stand for what a picture shows, and such a word counts as shown.
 */
export function isHidden({ place, color }: ColoredWord, { whole, withoutText }: DrawnTwice): boolean {
  if (!place || color === undefined) return false;
  const letters = brightness(...([1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Color));
  let [pixels, alike] = [0, 0];
  for (const at of pixelsOf(place, whole)) {
    const ground = brightness(...colorAt(withoutText, at));
    if (Math.abs(brightness(...colorAt(whole, at)) - ground) >= maxUnseen) return false;
    pixels += 1;
    if (Math.abs(ground - letters) < maxUnseen) alike += 1;
  }
  return pixels > 0 && alike > pixels / 2;
}

type Color = [red: number, green: number, blue: number];

function brightness(...[red, green, blue]: Color): number {
  return (red + green + blue) / 3;
}

function colorAt({ data }: Picture, at: number): Color {
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** Where the pixels of a place are in the data of a picture. */
function* pixelsOf({ x0, y0, x1, y1 }: Place, { width, height }: Picture): Generator<number> {
  for (let y = Math.max(0, Math.floor(y0 * scale)); y < Math.min(height, Math.ceil(y1 * scale)); y += 1)
    for (let x = Math.max(0, Math.floor(x0 * scale)); x < Math.min(width, Math.ceil(x1 * scale)); x += 1)
      yield (y * width + x) * 3;
}

/** The words of poppler without those that MuPDF has at their place in the colour of what is behind them. */
export function withoutHidden(
  words: readonly PlacedWord[],
  second: readonly ColoredWord[],
  drawn: DrawnTwice,
): PlacedWord[] {
  const byText = Map.groupBy(second, ({ text }) => foldWord(text));
  return words.filter((word) => {
    const same = (byText.get(word.text) ?? []).filter(({ place }) => word.place && touches(place!, word.place));
    return same.length === 0 || !same.every((other) => isHidden(other, drawn));
  });
}
