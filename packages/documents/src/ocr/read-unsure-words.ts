import type { GrayImage } from '../image/gray-image.ts';
import { groupRows } from '../layout/rows/rows.ts';
import { runsOf } from '../layout/tables/runs.ts';
import type { Box } from '../page/box.ts';
import type { ReadImage } from './engine/read-picture.ts';
import { confidenceOf } from './engine/reading-score.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { unreadLines } from './unread-ink.ts';

/** Words of less confidence are read again. */
const minSureConfidence = 0.85;
/** Share of the text, by width. It bounds the processor time, since PP-OCR takes as long for a piece of text as Tesseract. */
const maxRereadShare = 0.4;
/** Space above and below a line, in heights of the line. */
const lineMargin = 0.15;

/** More lines that no word covers are a texture or another script. They are a bound on the processor time too. */
const maxUnreadLines = 60;
/** A line of less confidence is a drawing. */
const minLineConfidence = 0.3;

interface Span {
  words: RecognizedWord[];
  /** The words and half of the gaps beside them. */
  box: Box;
}

/** Reads unsure words again with `readLine`, and replaces them where that has more confidence. */
export async function readUnsureWords(
  { words, image }: Pick<ReadImage, 'words' | 'image'>,
  readLine: (image: GrayImage, line: Box) => Promise<RecognizedWord[]>,
): Promise<RecognizedWord[]> {
  const spans = unsureSpans(words, image).sort((a, b) => confidenceOf(a.words) - confidenceOf(b.words));
  let remainingWidth = words.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0) * maxRereadShare;
  const replaced = new Map<RecognizedWord, RecognizedWord[]>();
  for (const span of spans) {
    remainingWidth -= span.box.x1 - span.box.x0;
    if (remainingWidth < 0) break;
    const again = await readLine(image, span.box);
    if (confidenceOf(again) <= confidenceOf(span.words)) continue;
    for (const word of span.words) replaced.set(word, []);
    replaced.set(span.words[0]!, again);
  }
  return words.flatMap((word) => replaced.get(word) ?? [word]);
}

/** Reads with `readLine` the lines that look like text and are in no word. Returns all words. */
export async function readUnreadLines(
  { words, image }: Pick<ReadImage, 'words' | 'image'>,
  readLine: (image: GrayImage, line: Box) => Promise<RecognizedWord[]>,
): Promise<RecognizedWord[]> {
  const found: RecognizedWord[] = [];
  for (const { x0, y0, x1, y1 } of unreadLines(image, words).slice(0, maxUnreadLines)) {
    const margin = (y1 - y0) * lineMargin;
    const line = await readLine(image, {
      x0: Math.max(0, x0 - margin),
      y0: Math.max(0, y0 - margin),
      x1: Math.min(image.width, x1 + margin),
      y1: Math.min(image.height, y1 + margin),
    });
    if (confidenceOf(line) >= minLineConfidence) found.push(...line);
  }
  return found.length === 0 ? [...words] : [...words, ...found];
}

/** Runs of unsure words in a line. */
function unsureSpans(words: readonly RecognizedWord[], { width, height }: GrayImage): Span[] {
  return groupRows(words)
    .flatMap(runsOf)
    .flatMap(({ words: run }): Span[] => {
      const spans: Span[] = [];
      let lastUnsure: RecognizedWord | undefined;
      for (const [index, word] of run.entries()) {
        const before = run[index - 1];
        const after = run[index + 1];
        if (word.confidence < minSureConfidence) {
          const right = after ? (word.x1 + after.x0) / 2 : word.x1 + (word.y1 - word.y0) / 2;
          const span = lastUnsure === before && lastUnsure ? spans.at(-1)! : undefined;
          if (span) {
            span.words.push(word);
            span.box = {
              ...span.box,
              y0: Math.min(span.box.y0, word.y0),
              x1: right,
              y1: Math.max(span.box.y1, word.y1),
            };
          } else {
            const left = before ? (before.x1 + word.x0) / 2 : word.x0 - (word.y1 - word.y0) / 2;
            spans.push({ words: [word], box: { x0: left, y0: word.y0, x1: right, y1: word.y1 } });
          }
          lastUnsure = word;
        }
      }
      return spans;
    })
    .map(({ words: inSpan, box: { x0, y0, x1, y1 } }) => {
      const margin = (y1 - y0) * lineMargin;
      const box = {
        x0: Math.max(0, x0),
        y0: Math.max(0, y0 - margin),
        x1: Math.min(width, x1),
        y1: Math.min(height, y1 + margin),
      };
      return { words: inSpan, box };
    })
    .filter(({ box }) => box.x1 - box.x0 > 2 && box.y1 - box.y0 > 2);
}
