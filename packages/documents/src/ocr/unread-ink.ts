import type { GrayImage } from '../image/gray-image.ts';
import { findLetters } from '../image/letter-height.ts';
import type { Box } from '../page/box.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';

/** Letters of a line have about the same height, */
const maxHeightRatio = 2;
/** and follow each other within this many heights. */
const maxDistance = 1.2;
/** Share of the lower letter's height. */
const minOverlap = 0.5;
/** A letter alone is a stain; fewer neighbours are a part of a drawing. */
const minInRow = 12;
/** From one line to the next, in heights of a line. */
const linePitch = 1.5;
/** More components than this are a texture, which no one reads. */
const maxLetters = 20_000;

/** The marks of a picture that look like letters of a line, and are in no word. In pixels of the picture. */
export interface UnreadInk {
  /** Undefined if there are too few. */
  box: Box | undefined;
  /** Pixels of the lines that contain them. */
  area: number;
}

/** Degrees between two directions in which slanted lines are looked for. */
const slantStep = 3;
/** A slanted line has at least so many letters, and so many are in slanted lines: grains of a photo are in rows by chance. */
const minInSlantedLine = 8;
const minSlanted = 40;
/** More letters outside of words would take too long to be turned. */
const maxSlanted = 5_000;
/** Share of the letters outside of words that are in slanted lines. */
const minSlantedShare = 0.5;

/** Finds what looks like text in a straight picture, in level lines or slanted ones, and is not covered by `words`; `all` are its letters. */
export function unreadInk(image: GrayImage, words: readonly Box[], all = findLetters(image)): UnreadInk {
  const letters = lettersOutside(all, words);
  const level = inkOf(inRows(letters), minInRow);
  const slanted = slantedInk(letters);
  return slanted.area > level.area ? slanted : level;
}

function inkOf(lines: readonly Box[][], least: number): UnreadInk {
  if (lines.reduce((sum, { length }) => sum + length, 0) < least) return { box: undefined, area: 0 };
  const boxes = lines.map(boxAround);
  // A line takes the space to the next one too.
  const area = boxes.reduce((sum, { x0, y0, x1, y1 }) => sum + (x1 - x0) * (y1 - y0) * linePitch, 0);
  return { box: boxAround(boxes), area };
}

/** The ink of slanted lines, measured along them. */
function slantedInk(letters: readonly Box[]): UnreadInk {
  let best: UnreadInk = { box: undefined, area: 0 };
  let most = Math.max(minSlanted - 1, letters.length * minSlantedShare);
  if (letters.length <= most || letters.length > maxSlanted) return best;
  for (let degrees = slantStep - 90; degrees <= 90; degrees += slantStep) {
    const original = new Map(letters.map((letter) => [turned(letter, degrees), letter]));
    const lines = inRows([...original.keys()]).filter(({ length }) => length >= minInSlantedLine);
    const found = lines.flat();
    if (found.length <= most) continue;
    most = found.length;
    best = { area: inkOf(lines, minSlanted).area, box: boxAround(found.map((letter) => original.get(letter)!)) };
  }
  return best;
}

/** A box of about the size of a letter, at its middle after the page is turned. */
function turned({ x0, y0, x1, y1 }: Box, degrees: number): Box {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const half = Math.min(x1 - x0, y1 - y0) / 2;
  const across = x * Math.cos(angle) + y * Math.sin(angle);
  const down = y * Math.cos(angle) - x * Math.sin(angle);
  return { x0: across - half, y0: down - half, x1: across + half, y1: down + half };
}

/** A line of fewer letters is a part of a drawing. */
const minInLine = 3;

/** The lines of a straight picture that look like text and are in no word, the longest first. */
export function unreadLines(image: GrayImage, words: readonly Box[]): Box[] {
  return inRows(lettersOutside(findLetters(image), words))
    .filter((letters) => letters.length >= minInLine)
    .map(boxAround)
    .sort((one, other) => other.x1 - other.x0 - (one.x1 - one.x0));
}

/** The letters that are in no word. */
export function lettersOutside(letters: readonly Box[], words: readonly Box[]): Box[] {
  if (letters.length > maxLetters) return [];
  return letters.filter((letter) => !words.some((word) => isWithin(letter, word)));
}

export function boxAround(boxes: readonly Box[]): Box {
  const around: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const { x0, y0, x1, y1 } of boxes) {
    around.x0 = Math.min(around.x0, x0);
    around.y0 = Math.min(around.y0, y0);
    around.x1 = Math.max(around.x1, x1);
    around.y1 = Math.max(around.y1, y1);
  }
  return around;
}

function isWithin({ x0, y0, x1, y1 }: Box, word: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1;
}

/** The letters that have a neighbour in their line, line by line. */
export function inRows<Letter extends Box>(letters: readonly Letter[]): Letter[][] {
  const sorted = letters.toSorted((one, other) => one.x0 - other.x0);
  const lineOf = new Map<Letter, Letter[]>();
  for (const [index, letter] of sorted.entries()) {
    const height = letter.y1 - letter.y0;
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next]!;
      if (other.x0 > letter.x1 + height * maxDistance) break;
      const otherHeight = other.y1 - other.y0;
      const overlap = Math.min(letter.y1, other.y1) - Math.max(letter.y0, other.y0);
      const isLine =
        Math.max(height, otherHeight) <= Math.min(height, otherHeight) * maxHeightRatio &&
        overlap >= Math.min(height, otherHeight) * minOverlap;
      if (isLine) join(lineOf, letter, other);
    }
  }
  return [...new Set(lineOf.values())];
}

/** Puts two letters, with those of their lines, into one line. */
function join<Letter>(lineOf: Map<Letter, Letter[]>, letter: Letter, other: Letter): void {
  const line = lineOf.get(letter) ?? [letter];
  const second = lineOf.get(other) ?? [other];
  lineOf.set(letter, line);
  if (line === second) return;
  for (const one of second) {
    line.push(one);
    lineOf.set(one, line);
  }
}

/** Around a word, in heights of it: a part of the page that is as unsure as the word itself. */
const reach = { across: 14, down: 4 };
/** Fewer words around one say nothing of the part. */
const minAround = 8;
/** Mean confidence of the words of a part, for each letter, below which they are not what the page shows. */
const minPartConfidence = 0.65;

/**
 * The words that are sure, or have sure words around them. Slanted and mirrored text is recognised as words that are not there, all of
 * little confidence; single unsure words are on each scan.
 */
export function withoutUnsureParts(words: readonly RecognizedWord[]): RecognizedWord[] {
  const sorted = words.toSorted((one, other) => one.y0 - other.y0);
  const tallest = sorted.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0);
  let first = 0;
  return sorted.filter((word) => {
    const height = word.y1 - word.y0;
    while (sorted[first]!.y0 < word.y0 - (reach.down + 1) * tallest) first += 1;
    let [letters, sum, around] = [0, 0, 0];
    for (let at = first; at < sorted.length && sorted[at]!.y0 <= word.y1 + reach.down * height; at += 1) {
      const other = sorted[at]!;
      if (other.y1 < word.y0 - reach.down * height) continue;
      if (other.x0 > word.x1 + reach.across * height || other.x1 < word.x0 - reach.across * height) continue;
      around += 1;
      letters += other.text.length;
      sum += other.text.length * other.confidence;
    }
    return around < minAround || sum >= letters * minPartConfidence;
  });
}
