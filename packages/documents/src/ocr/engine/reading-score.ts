import type { RecognizedWord } from './recognized-word.ts';

/** A word of this confidence is as likely wrong as right. */
const evenConfidence = 0.5;

/** Mean confidence of the characters, 0–1; 0 without any. */
export function confidenceOf(words: readonly RecognizedWord[]): number {
  const characters = words.reduce((sum, word) => sum + word.text.length, 0);
  return words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / Math.max(1, characters);
}

/** Amount of text times confidence, to compare two readings of a page. */
export function readingScore(words: readonly RecognizedWord[]): number {
  return words.reduce((sum, { text, confidence }) => {
    const characters = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
    return sum + characters * (confidence - evenConfidence);
  }, 0);
}
