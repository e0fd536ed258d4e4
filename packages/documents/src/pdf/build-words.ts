import type { PageWord } from '../layout/page-word.ts';
import { joinLetterSpaced, type TextPiece } from '../layout/letter-spaced.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import { isRepeated } from './letters/repeated-letters.ts';
import { distanceBetween, isSameLine, middleDistance, overlaps, turnInto, type Position } from './letters/position.ts';
import { beginsRaised, raisedOf } from './letters/raised-digits.ts';
import { isStepInColumn } from './letters/vertical-writing.ts';
import {
  isCombining,
  isDigit,
  isInsideNumber,
  isLatinLetter,
  isPunctuation,
  isRightToLeft,
  isSpace,
  isUnmapped,
  isZeroWidth,
} from './letters/script.ts';

/** Gap between two letters of a word, in font sizes. A space is about 0.25; kerning is below 0.1. */
const maxLetterGap = 0.13;
/** The boxes of turned text are outlines, without the space beside the letters. */
const maxLetterGapTurned = 0.22;
/**
 * Within one text object PDFium marks a gap as wide as a space, so that one without a mark is a sign that is drawn narrower than the
 * pitch of its font.
 */
const maxLetterGapInObject = 0.4;
/** Figures of one width have wider gaps beside a 1, and each can be a text object of its own. */
const maxDigitGap = 0.18;
/** Connected scripts have gaps between letters that do not connect, and real spaces between words. */
const maxLetterGapRightToLeft = 0.4;
/** Overlap of two letters of a word, in font sizes. */
const maxOverlap = 0.5;
/** Between the middles of two letters, in font sizes: the boxes of letters at an angle say nothing of the gap between them. */
const maxDistanceAtAngle = 1.5;

/**
 * Builds words from characters by their distance, because PDFium's own spaces are wrong for letter-spaced and turned text. A hidden
 * character separates words; a repeated one does not.
 */
export function buildWords(characters: PageCharacters, hidden: Uint8Array): PageWord[] {
  const { code, latin, style, styles, x0, y0, x1, y1 } = characters;
  const pieces: TextPiece[] = [];
  let piece: TextPiece | undefined;
  // Two position objects alternate, because a page has thousands of characters.
  let last: Position = { u0: 0, v0: 0, u1: 0, v1: 0 };
  let next: Position = { u0: 0, v0: 0, u1: 0, v1: 0 };
  let lastIsRightToLeft = false;
  let isAtAngle = false;
  let isSeparated = true;
  let lastStyle = noStyle;
  let lastSize = 0;
  let isInNumber = false;
  let lastIsUnmapped = false;

  for (let index = 0; index < characters.count; index += 1) {
    const character = code[index]!;
    const styleIndex = style[index]!;
    if (hidden[index] === isRepeated) continue;
    if (styleIndex === noStyle || hidden[index] === 1 || isSpace(character)) {
      // A generated space only separates words when distances are unreliable.
      if (isAtAngle || (styleIndex !== noStyle && !isStepInColumn(characters, index))) isSeparated = true;
      lastStyle = noStyle;
      continue;
    }
    if (isZeroWidth(character)) continue;
    const { direction, size, uprightInPage, isUprightDown } = styles[styleIndex]!;
    const left = x0[index]!;
    const top = y0[index]!;
    const right = x1[index]!;
    const bottom = y1[index]!;
    turnInto(next, left, top, right, bottom, direction ?? 'right');
    const isRtl = isRightToLeft(character);
    let gap: number | undefined;
    let joins = false;
    const canJoin = piece !== undefined && !isSeparated && piece.direction === direction;
    if (canJoin && direction === undefined) {
      joins = middleDistance(last, next) < size * maxDistanceAtAngle;
    } else if (canJoin && piece && isSameLine(last, next, size, piece.size)) {
      const isTurned = isRtl && lastIsRightToLeft;
      const distance = isRtl || lastIsRightToLeft ? distanceBetween(last, next) : next.u0 - last.u1;
      const isInObject = styleIndex === lastStyle;
      const betweenObjects = isInNumber && isInsideNumber(character) ? maxDigitGap : maxLetterGap;
      const usual = isInObject ? maxLetterGapInObject : uprightInPage ? betweenObjects : maxLetterGapTurned;
      const limit = isTurned ? maxLetterGapRightToLeft : usual;
      // Letters that are drawn over each other still follow each other.
      const isFurther = isInObject && next.u0 > last.u0;
      const isBackwards = distance < -size * maxOverlap && !overlaps(last, next) && !isFurther;
      // Between the letters of a column, only a space is one.
      const isInColumn = isInObject && isUprightDown;
      joins = isCombining(character) || ((isInColumn || distance <= limit * size) && !isBackwards);
      gap = isBackwards ? undefined : distance;
    }
    const isUnknown = isUnmapped(character);
    // A sign of another font is a picture, such as a telephone or a bullet. Beside a digit it can be one.
    if (
      isUnknown !== lastIsUnmapped &&
      styles[styleIndex]?.font !== styles[lastStyle]?.font &&
      !isDigit(code[isUnknown ? index - 1 : index]!)
    )
      joins = false;
    lastIsUnmapped = isUnknown;
    const raised =
      joins && piece && isDigit(character) && lastSize !== size
        ? raisedOf(piece.text, { size: lastSize, bottom: last.v1 }, { size, bottom: next.v1 })
        : undefined;
    if (raised) {
      joins = false;
      gap = undefined;
      if (raised === 'last') piece!.isRaised = true;
    }
    const isLatin = isLatinLetter(character);
    const text = isLatin ? latin[index]! : textOf(character);
    const letter = isRtl || isPunctuation(character) ? { text, middle: next.u0 + next.u1 } : undefined;
    if (joins && piece) {
      piece.text += text;
      if (piece.turnedLetters) addTurnedLetter(piece, letter, character);
      piece.characters += 1;
      piece.isLatin &&= isLatin;
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
        turnedLetters: isRtl ? [letter!] : undefined,
        isLatin,
        isRaised: raised === 'next',
      };
      pieces.push(piece);
    }
    if (isLatin && direction === 'right' && size > 0 && !piece.turnedLetters) {
      const limit = (uprightInPage ? maxLetterGap : maxLetterGapTurned) * size;
      const end = endOfLatinRun(characters, hidden, index, limit, -size * maxOverlap);
      if (end > index + 1) {
        piece.text += latin.slice(index + 1, end);
        piece.characters += end - index - 1;
        index = end - 1;
        if (x1[index]! > piece.x1) piece.x1 = x1[index]!;
        next.u0 = x0[index]!;
        next.u1 = x1[index]!;
      }
    }
    const free = last;
    last = next;
    next = free;
    lastIsRightToLeft = isRtl;
    lastStyle = styleIndex;
    lastSize = size;
    isInNumber = isDigit(code[index]!) || (isInNumber && isInsideNumber(code[index]!));
    isAtAngle = direction === undefined;
    isSeparated = false;
  }
  const words: PageWord[] = [];
  for (const joined of joinLetterSpaced(pieces)) {
    const word = toWord(joined);
    if (joined.isLatin || hasMeaning(word)) words.push(word);
  }
  return words;
}

/**
 * The end of a run of characters that continue a word in the simplest way: same style, same line, further right, no gap. Most
 * characters are in such runs, which are added to their word at once.
 */
function endOfLatinRun(
  { count, code, style, x0, y0, x1, y1 }: PageCharacters,
  hidden: Uint8Array,
  start: number,
  maxDistance: number,
  minDistance: number,
): number {
  const usualStyle = style[start];
  const top = y0[start];
  const bottom = y1[start];
  let left = x0[start]!;
  let right = x1[start]!;
  let end = start + 1;
  for (; end < count; end += 1) {
    if (style[end] !== usualStyle || !isLatinLetter(code[end]!) || hidden[end] !== 0) break;
    if (y0[end] !== top || y1[end] !== bottom) break;
    const nextLeft = x0[end]!;
    const nextRight = x1[end]!;
    const distance = nextLeft - right;
    if (nextLeft < left || nextRight < right || distance > maxDistance || distance < minDistance) break;
    left = nextLeft;
    right = nextRight;
  }
  return end;
}

/** A combining mark belongs to its letter; a letter of another script ends the reversed run. */
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
const symbolBullets = [0xf0b7, 0xf0a7];
/** Stands for a glyph without a Unicode character. */
const unknownCharacter = '\ufffd';

function textOf(character: number): string {
  if (symbolBullets.includes(character)) return '•';
  return isUnmapped(character) ? unknownCharacter : String.fromCodePoint(character);
}

/** A word of glyphs without characters is a picture, such as a telephone before its number. */
function hasMeaning({ text }: PageWord): boolean {
  return !text.includes(unknownCharacter) || text.replaceAll(unknownCharacter, '') !== '';
}

/** Characters that normalization changes. */
const beyondLatin = /[\u0300-\u{10ffff}]/u;

function toWord({ text, x0, y0, x1, y1, direction, turnedLetters, isLatin, isRaised }: TextPiece): PageWord {
  const word = { text: isRaised ? beginsRaised(text) : text, x0, y0, x1, y1, direction };
  if (isLatin || !beyondLatin.test(text)) return word;
  // PDFium returns the letters of some ligatures in the wrong order. In a word of one script, their positions show it.
  const ordered = turnedLetters?.sort((a, b) => b.middle - a.middle);
  if (ordered) orderLamAlef(ordered);
  // Numbers run from left to right among these letters too.
  const inOrder =
    ordered
      ?.map((letter) => letter.text)
      .join('')
      .replaceAll(arabicNumber, (number) => Array.from(number).reverse().join('')) ?? text;
  const letters = inOrder.replaceAll(arabicForm, (form) => {
    const plain = form.normalize('NFKC');
    return plain.includes(' ') ? form : plain;
  });
  return { ...word, text: letters.toWellFormed().normalize('NFC') };
}

/** Digits of Arabic and Persian, with the signs inside of numbers and dates. */
const arabicNumber = /[\u0660-\u0669\u06f0-\u06f9]+(?:[.,/:\u066b\u066c][\u0660-\u0669\u06f0-\u06f9]+)*/gu;
/** Presentation forms of Arabic letters: the shape of a letter at its place in a word. */
const arabicForm = /[\ufb50-\ufdfb\ufe70-\ufefc]/g;
const lam = '\u0644';
const alefs = '\u0622\u0623\u0625\u0627\u0671';

/** Puts lam before alef: both have the box of their ligature, and PDFium can return them in painted order. */
function orderLamAlef(letters: { text: string; middle: number }[]): void {
  for (const [index, letter] of letters.entries()) {
    const before = letters[index - 1];
    if (!before || before.middle !== letter.middle || letter.text[0] !== lam || !alefs.includes(before.text[0]!))
      continue;
    letters[index - 1] = letter;
    letters[index] = before;
  }
}
