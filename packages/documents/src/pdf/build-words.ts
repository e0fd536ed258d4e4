import type { PageWord } from '../layout/page-word.ts';
import { turnUpright, type ReadingDirection } from '../layout/reading-direction.ts';
import { joinLetterSpaced } from './join-letter-spaced.ts';
import { NO_STYLE, type PageCharacters } from './read-characters.ts';
import { isCombining, isRightToLeft, isSpace, isUnmapped, isZeroWidth } from './script.ts';

/** A run of characters without a gap. */
export interface TextPiece extends PageWord {
  characters: number;
  /** Font size in points. */
  size: number;
  /** Distance to the previous piece when only distance separates the two, otherwise undefined. */
  gap: number | undefined;
  /** Letters of a right-to-left script with the middle of each, while the piece has no other letters. */
  turnedLetters: { text: string; middle: number }[] | undefined;
}

/** Distances in font sizes. A space is about .25; kerning is below .1. */
const WORD_GAP = 0.13;
/** Turned text has outline boxes, without the room beside the letters. */
const WORD_GAP_TURNED = 0.22;
/** Connected scripts have gaps between letters that do not join, and real spaces between words. */
const WORD_GAP_RIGHT_TO_LEFT = 0.4;
const MAX_OVERLAP = 0.5;
/** Between the middles of two letters, because boxes of letters at an angle do not measure the gap between them. */
const FARTHEST_AT_ANGLE = 1.5;

/** The position of a character after its line is turned upright. */
interface Position {
  u0: number;
  v0: number;
  u1: number;
  v1: number;
}

/**
 * Builds words from characters by distance, because PDFium's own spaces are wrong for letter-spaced and turned text.
 */
export function buildWords(characters: PageCharacters, hidden: Uint8Array): PageWord[] {
  const { code, style, styles, x0, y0, x1, y1 } = characters;
  const pieces: TextPiece[] = [];
  let piece: TextPiece | undefined;
  // Two position objects alternate, because a page has thousands of characters.
  let last: Position = { u0: 0, v0: 0, u1: 0, v1: 0 };
  let next: Position = { u0: 0, v0: 0, u1: 0, v1: 0 };
  let lastIsRightToLeft = false;
  let isAtAngle = false;
  let isSeparated = true;

  for (let index = 0; index < characters.count; index += 1) {
    const character = code[index]!;
    const styleIndex = style[index]!;
    if (styleIndex === NO_STYLE || hidden[index] === 1 || isSpace(character)) {
      // A generated space only separates words when distances are unreliable.
      if (styleIndex !== NO_STYLE || isAtAngle) isSeparated = true;
      continue;
    }
    if (isZeroWidth(character)) continue;
    const { direction, size, uprightInPage } = styles[styleIndex]!;
    const left = x0[index]!;
    const top = y0[index]!;
    const right = x1[index]!;
    const bottom = y1[index]!;
    turnInto(next, left, top, right, bottom, direction ?? 'right');
    const isRtl = isRightToLeft(character);
    let gap: number | undefined;
    let joins = false;
    const mayJoin = piece !== undefined && !isSeparated && piece.direction === direction;
    if (mayJoin && direction === undefined) {
      joins = middleDistance(last, next) < size * FARTHEST_AT_ANGLE;
    } else if (mayJoin && piece && isSameLine(last, next, size, piece.size)) {
      const isTurned = isRtl && lastIsRightToLeft;
      const distance = isRtl || lastIsRightToLeft ? distanceBetween(last, next) : next.u0 - last.u1;
      const limit = isTurned ? WORD_GAP_RIGHT_TO_LEFT : uprightInPage ? WORD_GAP : WORD_GAP_TURNED;
      const isBackwards = distance < -size * MAX_OVERLAP && !overlaps(last, next);
      joins = isCombining(character) || (distance <= limit * size && !isBackwards);
      gap = isBackwards ? undefined : distance;
    }
    const text = textOf(character);
    const letter = isRtl ? { text, middle: next.u0 + next.u1 } : undefined;
    if (joins && piece) {
      piece.text += text;
      if (piece.turnedLetters) addTurnedLetter(piece, letter, character);
      piece.characters += 1;
      if (left < piece.x0) piece.x0 = left;
      if (top < piece.y0) piece.y0 = top;
      if (right > piece.x1) piece.x1 = right;
      if (bottom > piece.y1) piece.y1 = bottom;
    } else {
      piece = {
        text,
        x0: left,
        y0: top,
        x1: right,
        y1: bottom,
        direction,
        characters: 1,
        size,
        gap,
        turnedLetters: letter && [letter],
      };
      pieces.push(piece);
    }
    const free = last;
    last = next;
    next = free;
    lastIsRightToLeft = isRtl;
    isAtAngle = direction === undefined;
    isSeparated = false;
  }
  return joinLetterSpaced(pieces).map(toWord).filter(hasMeaning);
}

function turnInto(
  position: Position,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  direction: ReadingDirection,
): void {
  if (direction === 'right') {
    position.u0 = x0;
    position.v0 = y0;
    position.u1 = x1;
    position.v1 = y1;
    return;
  }
  const turned = turnUpright({ x0, y0, x1, y1 }, direction);
  position.u0 = turned.x0;
  position.v0 = turned.y0;
  position.u1 = turned.x1;
  position.v1 = turned.y1;
}

/** A mark belongs to its letter; a letter of another script ends the reversed run. */
function addTurnedLetter(
  piece: TextPiece,
  letter: { text: string; middle: number } | undefined,
  character: number,
): void {
  const last = piece.turnedLetters?.at(-1);
  if (last && isCombining(character)) last.text += String.fromCodePoint(character);
  else if (letter) piece.turnedLetters?.push(letter);
  else piece.turnedLetters = undefined;
}

/** Bullets of the Symbol and Wingdings fonts, which have no Unicode meaning. */
const SYMBOL_BULLETS = [0xf0b7, 0xf0a7];
const FIRST_SURROGATE = 0xd800;
const MEANINGLESS = '\ufffd';

function textOf(character: number): string {
  if (character !== 0 && character < FIRST_SURROGATE) return String.fromCharCode(character);
  if (SYMBOL_BULLETS.includes(character)) return '•';
  return isUnmapped(character) ? MEANINGLESS : String.fromCodePoint(character);
}

/** A single glyph without a character is a picture, such as a telephone before its number. */
function hasMeaning({ text }: PageWord): boolean {
  return !text.includes(MEANINGLESS) || text.replaceAll(MEANINGLESS, '') !== '';
}

function isSameLine(last: Position, next: Position, size: number, lastSize: number): boolean {
  const overlap = Math.min(last.v1, next.v1) - Math.max(last.v0, next.v0);
  const lower = Math.min(last.v1 - last.v0, next.v1 - next.v0);
  if (overlap < lower * 0.5) return false;
  // A superscript belongs to its word; a headline beside small print does not.
  return Math.max(size, lastSize) < Math.min(size, lastSize) * 2.5;
}

function distanceBetween(last: Position, next: Position): number {
  return Math.max(next.u0 - last.u1, last.u0 - next.u1);
}

function middleDistance(last: Position, next: Position): number {
  return Math.hypot(last.u0 + last.u1 - next.u0 - next.u1, last.v0 + last.v1 - next.v0 - next.v1) / 2;
}

/** The parts of a ligature share one box. */
function overlaps(last: Position, next: Position): boolean {
  return Math.abs(last.u0 - next.u0) < 0.01 && Math.abs(last.u1 - next.u1) < 0.01;
}

/** Characters that normalization changes. */
const beyondLatin = /[\u0300-\u{10ffff}]/u;

function toWord({ text, x0, y0, x1, y1, direction, turnedLetters }: TextPiece): PageWord {
  const word = { text, x0, y0, x1, y1, direction };
  if (!beyondLatin.test(text)) return word;
  // PDFium splits some ligatures in the wrong order. On a page of one script, the page itself shows the order.
  const ordered = turnedLetters?.sort((a, b) => b.middle - a.middle).map((letter) => letter.text);
  return { ...word, text: (ordered?.join('') ?? text).toWellFormed().normalize('NFC') };
}
