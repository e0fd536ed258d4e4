import { cropImage, turnQuarters, type GrayImage, type Quarters } from '../image/gray-image.ts';
import { boxBefore } from '../image/straighten.ts';
import type { Box } from '../page/box.ts';
import type { ReadImage, ReadPicture } from './engine/read-picture.ts';
import { confidenceOf, readingScore } from './engine/reading-score.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { boxAround, inRows, lettersOutside, withoutUnsureParts } from './unread-ink.ts';

/** A word that is higher than wide by this factor stands on its side. */
const minTallRatio = 1.3;
const minTallLetters = 3;
/** A line of less mean confidence is read again upside down. */
const minLineConfidence = 0.65;
const minLineLetters = 8;
/** Letters within this many heights of each other are one part. */
const maxDistance = 1.5;
/** A part of fewer letters is a sign or a stain. */
const minLetters = 5;
/** Letters of a part in lines of at least so many, as a share of them: the rest of a drawing or a photo has none. */
const [minInLine, minShareInLines] = [3, 0.6];
/** More letters outside of words are a texture. */
const maxLetters = 5_000;
/** These bound the processor time: parts, and their share of the picture. */
const [maxParts, maxShare] = [12, 0.6];
/** So many letters that no word covers are read once more beside turned lines. */
const minUnread = 12;
/** So many letters say which way lines run as well as all of them. */
const maxSampled = 300;
/** In heights of a line: a letter that reaches further above or below it than most. */
const minReach = 0.15;
/** Lines are upside down if so many times more letters reach below them than above: capitals alone are upright. */
const minDescenders = 1.5;
/** Around a part, in heights of its letters. */
const margin = 0.6;
/** Of a word's height: a letter may reach beyond the word's box. */
const edgeShare = 0.15;
/** A part of less confidence is not text. */
const minPartConfidence = 0.75;

/**
 * Reads the lines of a straight picture that run up, down or upside down beside level ones. An engine reads one direction of a page, and
 * others as words that are not there, or not at all. `letters` are those of the picture. Returns all words.
 */
export async function readTurnedParts(
  readPicture: ReadPicture,
  { words, image, language }: Pick<ReadImage, 'words' | 'image' | 'language'>,
  letters: readonly Box[],
): Promise<RecognizedWord[]> {
  const unsure = unsureWords(words);
  const left = lettersOutside(
    letters,
    words.filter((word) => !unsure.has(word)),
  );
  let all = words;
  let rest = image.width * image.height * maxShare;
  for (const part of partsOf(left).slice(0, maxParts)) {
    const turns = turnsOf(part);
    const box = boxWithMargin(part, image);
    rest -= turns.length > 0 ? (box.x1 - box.x0) * (box.y1 - box.y0) : 0;
    if (rest < 0) break;
    let best: RecognizedWord[] = [];
    for (const quarters of turns) {
      const read = await readTurned(readPicture, image, box, quarters, language);
      if (readingScore(read) > readingScore(best)) best = read;
      if (confidenceOf(best) >= minPartConfidence) break;
    }
    const before = all.filter((word) => unsure.has(word) && isWithin(word, box));
    if (confidenceOf(best) < minPartConfidence || readingScore(best) <= Math.max(0, upright(before))) continue;
    all = [...all.filter((word) => !before.includes(word) && !best.some((other) => isWithin(word, other))), ...best];
  }
  return await withRestRead(readPicture, { words: all, image, language }, letters);
}

/** Turned lines, such as the heads of a table, can keep an engine from the level ones: these are read once more without them. */
async function withRestRead(
  readPicture: ReadPicture,
  { words, image, language }: Pick<ReadImage, 'words' | 'image' | 'language'>,
  letters: readonly Box[],
): Promise<RecognizedWord[]> {
  const turned = words.filter(({ quarters }) => quarters !== undefined);
  const level = words.filter((word) => !turned.includes(word));
  const unread = lettersOutside(letters, [...withoutUnsureParts(level), ...turned]);
  if (turned.length === 0 || unread.length < minUnread || unread.length > maxLetters) return [...words];
  const rest = withoutParts(image, turned);
  const { words: found, straightening } = await readPicture(rest, language);
  const again = found.map((word) => ({ ...word, ...boxBefore(word, rest, straightening) }));
  const isBetter = straightening.quarters === 0 && readingScore(again) > readingScore(level);
  return isBetter ? [...again, ...turned] : [...words];
}

/** The picture with these parts and their edges in white. */
function withoutParts({ pixels, width, height }: GrayImage, parts: readonly Box[]): GrayImage {
  const rest = { pixels: pixels.slice(), width, height };
  for (const { x0, y0, x1, y1 } of parts) {
    const edge = Math.min(x1 - x0, y1 - y0) * edgeShare;
    const [left, right] = [Math.max(0, Math.floor(x0 - edge)), Math.min(width, Math.ceil(x1 + edge))];
    for (let y = Math.max(0, Math.floor(y0 - edge)); y < Math.min(height, y1 + edge); y += 1) {
      rest.pixels.fill(255, y * width + left, y * width + right);
    }
  }
  return rest;
}

/** The score of words, of which those that stand on their side are out of order. */
function upright(words: readonly RecognizedWord[]): number {
  return readingScore(words.filter((word) => !isTall(word)));
}

/** Words that may be another direction's: they stand on their side, or their part or line is unsure. */
function unsureWords(words: readonly RecognizedWord[]): Set<RecognizedWord> {
  const sure = new Set(withoutUnsureParts(words));
  const unsure = new Set(words.filter((word) => !sure.has(word) || isTall(word)));
  const lines = inRows(words);
  const inLines = new Set(lines.flat());
  const alone = words.filter((word) => !inLines.has(word)).map((word) => [word]);
  for (const line of [...lines, ...alone]) {
    const count = line.reduce((sum, { text }) => sum + text.length, 0);
    if (count < minLineLetters || confidenceOf(line) >= minLineConfidence) continue;
    for (const word of line) unsure.add(word);
  }
  return unsure;
}

function isTall({ text, x0, y0, x1, y1 }: RecognizedWord): boolean {
  return text.length >= minTallLetters && y1 - y0 > (x1 - x0) * minTallRatio;
}

/** Letters that are close to each other, the largest part first. */
function partsOf(letters: readonly Box[]): Box[][] {
  if (letters.length > maxLetters) return [];
  const sorted = letters.toSorted((one, other) => one.x0 - other.x0);
  const widest = sorted.reduce((most, letter) => Math.max(most, sizeOf(letter)), 0);
  const partOf = new Map<Box, Box[]>(sorted.map((letter) => [letter, [letter]]));
  for (const [index, letter] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next]!;
      if (other.x0 > letter.x1 + widest * maxDistance) break;
      const reach = Math.min(sizeOf(letter), sizeOf(other)) * maxDistance;
      const across = other.x0 - letter.x1;
      const down = Math.max(letter.y0, other.y0) - Math.min(letter.y1, other.y1);
      const [one, second] = [partOf.get(letter)!, partOf.get(other)!];
      if (across > reach || down > reach || one === second) continue;
      const [large, small] = one.length < second.length ? [second, one] : [one, second];
      for (const box of small) {
        large.push(box);
        partOf.set(box, large);
      }
    }
  }
  return [...new Set(partOf.values())]
    .filter(({ length }) => length >= minLetters)
    .sort((one, other) => other.length - one.length);
}

function sizeOf({ x0, y0, x1, y1 }: Box): number {
  return Math.max(x1 - x0, y1 - y0);
}

/** The quarter turns that may make a part upright, the likelier first; none if its letters are in no lines, or upright as they are. */
function turnsOf(letters: readonly Box[]): Quarters[] {
  const onSide = letters.map(({ x0, y0, x1, y1 }): Box => ({ x0: y0, y0: x0, x1: y1, y1: x1 }));
  const isSideways = gapBetween(onSide) < gapBetween(letters);
  const lines = inRows(isSideways ? onSide : letters).filter(({ length }) => length >= minInLine);
  const inLines = lines.reduce((sum, { length }) => sum + length, 0);
  if (inLines < letters.length * minShareInLines) return [];
  const { above, below } = beyondLines(lines);
  // Up becomes left where the sides are exchanged.
  if (isSideways) return above < below ? [3, 1] : [1, 3];
  return below > above * minDescenders ? [2] : [];
}

/** More letters are higher than others than reach below the line: capitals, digits and letters such as d are more frequent than p and q. */
function beyondLines(lines: readonly Box[][]): { above: number; below: number } {
  let [above, below] = [0, 0];
  for (const line of lines) {
    const middleOf = (side: 'y0' | 'y1'): number =>
      line.map((letter) => letter[side]).sort((one, other) => one - other)[Math.floor(line.length / 2)]!;
    const [top, bottom] = [middleOf('y0'), middleOf('y1')];
    const reach = (bottom - top) * minReach;
    above += line.filter(({ y0 }) => y0 < top - reach).length;
    below += line.filter(({ y1 }) => y1 > bottom + reach).length;
  }
  return { above, below };
}

/** The middle of the gaps from each letter to the next one in its row: letters of a line are closer than lines. */
function gapBetween(letters: readonly Box[]): number {
  const step = Math.ceil(letters.length / maxSampled);
  const sampled = letters.filter((_, index) => index % step === 0);
  const gaps = sampled.map((letter) => {
    let gap = Infinity;
    for (const other of letters) {
      const overlap = Math.min(letter.y1, other.y1) - Math.max(letter.y0, other.y0);
      if (other.x0 <= letter.x0 || overlap * 2 < Math.min(letter.y1 - letter.y0, other.y1 - other.y0)) continue;
      gap = Math.min(gap, Math.max(0, other.x0 - letter.x1));
    }
    return gap;
  });
  return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)]!;
}

function boxWithMargin(letters: readonly Box[], { width, height }: GrayImage): Box {
  const around = boxAround(letters);
  const space = letters.map(sizeOf).sort((one, other) => one - other)[Math.floor(letters.length / 2)]! * margin;
  return {
    x0: Math.max(0, around.x0 - space),
    y0: Math.max(0, around.y0 - space),
    x1: Math.min(width, around.x1 + space),
    y1: Math.min(height, around.y1 + space),
  };
}

/** Reads a part after turning it. The words are placed on the picture. */
async function readTurned(
  readPicture: ReadPicture,
  image: GrayImage,
  part: Box,
  quarters: Quarters,
  likely: ReadImage['language'],
): Promise<RecognizedWord[]> {
  const cropped = cropImage(image, part);
  const turned = turnQuarters(cropped, quarters);
  const { words, straightening } = await readPicture(turned, likely);
  const all = ((quarters + straightening.quarters) % 4) as Quarters;
  if (all === 0) return [];
  const isSideways = all % 2 === 1;
  const placed = words.map((word) => {
    const onTurned = boxBefore(word, turned, straightening);
    const { x0, y0, x1, y1 } = boxBefore(onTurned, cropped, { quarters, skew: 0, scale: 1 });
    const [left, top] = [Math.floor(part.x0), Math.floor(part.y0)];
    return { ...word, x0: left + x0, y0: top + y0, x1: left + x1, y1: top + y1, quarters: all };
  });
  // An engine may have read a line on its side, so that the words are level on the picture.
  return placed.filter((word) => word.text.length < minTallLetters || isTall(word) === isSideways);
}

/** Whether the middle of one is in the other. */
function isWithin({ x0, y0, x1, y1 }: Box, other: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= other.x0 && x <= other.x1 && y >= other.y0 && y <= other.y1;
}
