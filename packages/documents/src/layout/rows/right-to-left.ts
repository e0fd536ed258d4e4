import type { Word } from '../../page/page.ts';
import { groupRows } from './rows.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
const letter = /\p{L}/u;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a word has letters of Hebrew, Arabic or a related script, at any place: abbreviations have a quotation mark in their middle. */
export function isRightToLeftWord({ text }: Word): boolean {
  return rightToLeft.test(text);
}

/**
 * Words of a row, sorted from left to right, in reading order: a row that is mostly right-to-left is reversed, except its runs of other
 * words. A sign at the end of such a run belongs to what is around it.
 */
export function inReadingOrder<RowWord extends Word>(words: RowWord[]): RowWord[] {
  if (!words.some(isRightToLeftWord)) return words;
  const lettered = words.filter((word) => letter.test(word.text));
  const rightToLeftCount = lettered.filter(isRightToLeftWord).length;
  if (rightToLeftCount * 2 < lettered.length) return words;
  const ordered: RowWord[] = [];
  let run: RowWord[] = [];
  for (const word of words.toReversed()) {
    if (isRightToLeftWord(word)) {
      ordered.push(...signsOutside(run), word);
      run = [];
    } else {
      run.push(word);
    }
  }
  return [...ordered, ...signsOutside(run)];
}

/**
 * A run of other words, given from right to left: from left to right, save for the signs at its ends and around a bracket beside a
 * number, which is one of the text around.
 */
function signsOutside<RowWord extends Word>(run: readonly RowWord[]): RowWord[] {
  const parts: RowWord[][] = [[]];
  const end = run.findLastIndex(({ text }) => letterOrDigit.test(text));
  let signs: RowWord[] = [];
  let last: RowWord | undefined;
  for (const [index, word] of run.entries()) {
    if (!letterOrDigit.test(word.text) && index < end && last) {
      signs.push(word);
    } else if (last && letterOrDigit.test(word.text)) {
      const isText = letter.test(last.text) && letter.test(word.text);
      if (isText || !signs.some(({ text }) => bracket.test(text))) parts.at(-1)!.push(...signs, word);
      else parts.push(...signs.map((sign) => [sign]), [word]);
      signs = [];
      last = word;
    } else {
      parts.push([word]);
      if (letterOrDigit.test(word.text)) last = word;
    }
  }
  return parts.flatMap((part) => part.toReversed());
}

const pairs = ['()', '[]', '{}', '«»', '‹›'];
const bracket = /[()[\]{}«»‹›]/;

interface Bracket {
  word: number;
  at: number;
  opens: boolean;
  /** Before the first letter or digit of a word a bracket opens, behind the last one it closes. */
  mustOpen: boolean | undefined;
}

/**
 * The words with the brackets turned that PDFium has as they are painted: within text from the right, `(` is painted as `)`, and it turns
 * only some of them. Changed are rows with right-to-left words alone, and there only kinds of brackets that do not pair.
 */
export function withPairedBrackets<RowWord extends Word>(words: readonly RowWord[]): readonly RowWord[] {
  const turned = new Map<RowWord, RowWord>();
  for (const row of groupRows(words)) {
    if (!row.words.some(isRightToLeftWord)) continue;
    const ordered = inReadingOrder(row.words);
    const texts = ordered.map(({ text }) => text);
    for (const pair of pairs) turnBrackets(texts, pair);
    for (const [index, word] of ordered.entries()) {
      if (texts[index] !== word.text) turned.set(word, { ...word, text: texts[index]! });
    }
  }
  return turned.size === 0 ? words : words.map((word) => turned.get(word) ?? word);
}

/** Turns the brackets of one kind in the words of a row. */
function turnBrackets(texts: string[], pair: string): void {
  const brackets = texts.flatMap((text, word) => bracketsOf(text, word, pair));
  if (brackets.length === 0 || doPair(brackets)) return;
  const canTurn = brackets.length % 2 === 0;
  let depth = 0;
  for (const { word, at, opens, mustOpen } of brackets) {
    const shouldOpen = mustOpen ?? (canTurn ? depth === 0 : opens);
    depth = Math.max(0, depth + (shouldOpen ? 1 : -1));
    const text = texts[word]!;
    texts[word] = `${text.slice(0, at)}${pair[shouldOpen ? 0 : 1]}${text.slice(at + 1)}`;
  }
}

function bracketsOf(text: string, word: number, pair: string): Bracket[] {
  const found: Bracket[] = [];
  if (!text.includes(pair[0]!) && !text.includes(pair[1]!)) return found;
  const hasLetters = letterOrDigit.test(text);
  const start = text.search(letterOrDigit);
  let end = text.length;
  // From the end: a regular expression for this takes the square of the length of a row of dots.
  while (end > 0 && !letterOrDigit.test(lastLetter(text, end))) end -= 1;
  for (let at = 0; at < text.length; at += 1) {
    if (!pair.includes(text[at]!)) continue;
    const isBehind = at >= end;
    // Before other words, a bracket can be the one that closes what is before them.
    const isBefore = at < start && rightToLeft.test(text);
    const mustOpen = !hasLetters || (!isBehind && !isBefore) ? undefined : isBefore;
    found.push({ word, at, opens: text[at] === pair[0], mustOpen });
  }
  return found;
}

/** The letter before a place, which can take two code units. */
function lastLetter(text: string, end: number): string {
  const isPair = end > 1 && text.codePointAt(end - 2)! > 0xffff;
  return text.slice(end - (isPair ? 2 : 1), end);
}

function doPair(brackets: readonly Bracket[]): boolean {
  let depth = 0;
  for (const { opens } of brackets) {
    depth += opens ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
