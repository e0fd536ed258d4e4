import type { PageWord } from './page-word.ts';

/** A run of characters without a gap. */
export interface TextPiece extends PageWord {
  characters: number;
  /** Font size in points. */
  size: number;
  /** Distance to the previous piece if the distance alone separates the two, otherwise undefined. */
  gap: number | undefined;
  /** Letters of a right-to-left script with the middle of each, while the piece has no other letters. */
  turnedLetters: { text: string; middle: number }[] | undefined;
  /** Whether all characters are of Latin-1. */
  isLatin: boolean;
  /** Whether it begins with digits that are raised beside the digits before or behind them. */
  isRaised: boolean;
}

/** Gap between two letters of a word, in font sizes: letters further apart are columns. */
const maxLetterSpacing = 0.8;
/** Digits must be closer, because those in neighbouring cells look like spaced letters. */
const maxDigitSpacing = 0.45;
/** The gap after a spaced word is larger than that between its letters by this many font sizes. */
const minExtraWordGap = 0.2;
const minLetters = 3;
/** Where most pieces have two letters, they are words, and the gaps between them are spaces. */
const maxPairShare = 0.5;

/** Joins words whose letters are set with space between them, as in headlines: `I N V O I C E`. */
export function joinLetterSpaced(pieces: readonly TextPiece[]): readonly TextPiece[] {
  if (!pieces.some((piece) => piece.characters === 1 && piece.gap !== undefined)) return pieces;
  const joined: TextPiece[] = [];
  let start = 0;
  while (start < pieces.length) {
    let end = start + 1;
    while (end < pieces.length && isLetter(pieces[end]!) && isLetter(pieces[start]!) && pieces[end]!.gap !== undefined)
      end += 1;
    const run = pieces.slice(start, end);
    joined.push(...(run.length >= minLetters ? joinRun(run) : run));
    start = end;
  }
  return joined;
}

/** A kerned pair within a spaced word is one piece of two characters. */
function isLetter(piece: TextPiece): boolean {
  return piece.characters <= 2;
}

function joinRun(run: readonly TextPiece[]): readonly TextPiece[] {
  const gaps = run.slice(1).map((piece) => piece.gap! / piece.size);
  const spacing = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 3)]!;
  const pairs = run.filter(({ characters }) => characters > 1).length;
  if (pairs > run.length * maxPairShare) return run;
  const isDigits = run.every((piece) => /^[\d.,]+$/.test(piece.text));
  if (spacing > (isDigits ? maxDigitSpacing : maxLetterSpacing)) return run;
  const words: TextPiece[] = [];
  for (const [index, piece] of run.entries()) {
    const word = words.at(-1);
    if (word && gaps[index - 1]! <= spacing + minExtraWordGap) {
      word.text += piece.text;
      word.turnedLetters = undefined;
      word.isLatin &&= piece.isLatin;
      word.characters += piece.characters;
      word.x0 = Math.min(word.x0, piece.x0);
      word.y0 = Math.min(word.y0, piece.y0);
      word.x1 = Math.max(word.x1, piece.x1);
      word.y1 = Math.max(word.y1, piece.y1);
    } else {
      words.push({ ...piece });
    }
  }
  return words;
}
