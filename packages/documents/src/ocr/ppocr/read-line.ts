import { median } from '../../layout/rows/median.ts';
import type { Box } from '../../page/box.ts';
import type { RecognizedWord } from '../engine/recognized-word.ts';

/** One step of the reader along a line: its likeliest character, 0 for none. */
export interface ReaderStep {
  character: number;
  likelihood: number;
}

interface Letter {
  text: string;
  likelihood: number;
  /** Steps from the start of the line. */
  from: number;
  to: number;
}

/** A wider gap separates words without a recognised space. In usual distances of letters. */
const minWordGap = 2.6;

/** The likeliest character of each step. The reader's output has a likelihood for each class at each step. */
export function stepsOf(output: Float32Array, classes: number): ReaderStep[] {
  return Array.from({ length: output.length / classes }, (_, step) => {
    let character = 0;
    for (let index = 1; index < classes; index += 1) {
      if (output[step * classes + index]! > output[step * classes + character]!) character = index;
    }
    return { character, likelihood: output[step * classes + character]! };
  });
}

/** The words of a line. Their boxes follow from the steps at which the reader saw their letters. */
export function wordsOfLine(steps: readonly ReaderStep[], characters: readonly string[], line: Box): RecognizedWord[] {
  const letters: Letter[] = [];
  for (const [index, { character, likelihood }] of steps.entries()) {
    if (character === 0) continue;
    const before = letters.at(-1);
    if (steps[index - 1]?.character === character && before) before.to = index + 1;
    else letters.push({ text: characters[character - 1] ?? ' ', likelihood, from: index, to: index + 1 });
  }
  const step = (line.x1 - line.x0) / Math.max(1, steps.length);
  // The reader sees a letter in its middle, so a word reaches further on both sides by half a letter distance.
  const reach = Math.max(0, (usualDistance(letters) - 1) / 2);
  return splitWords(letters).map((word) => ({
    text: word.map(({ text }) => text).join(''),
    x0: Math.round(Math.max(line.x0, line.x0 + (word[0]!.from - reach) * step)),
    x1: Math.round(Math.min(line.x1, line.x0 + (word.at(-1)!.to + reach) * step)),
    y0: Math.round(line.y0),
    y1: Math.round(line.y1),
    confidence: word.reduce((sum, { likelihood }) => sum + likelihood, 0) / word.length,
    engine: 'ppocr',
  }));
}

/** Median number of steps from one letter to the next. */
function usualDistance(letters: readonly Letter[]): number {
  return median(letters.slice(1).map((letter, index) => letter.from - letters[index]!.from)) ?? 1;
}

function splitWords(letters: readonly Letter[]): Letter[][] {
  const distance = usualDistance(letters);
  const words: Letter[][] = [];
  let word: Letter[] = [];
  let last: Letter | undefined;
  for (const letter of letters) {
    const isSpace = letter.text.trim() === '';
    if (word.length > 0 && (isSpace || (last && letter.from - last.from > distance * minWordGap))) {
      words.push(word);
      word = [];
    }
    if (!isSpace) word.push(letter);
    last = letter;
  }
  return word.length > 0 ? [...words, word] : words;
}
